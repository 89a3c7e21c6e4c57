import Lab
import Measurements

extension Museum {
    /// When what failed is tried again.
    static let retries: [Exhibit] = [
        Exhibit(
            "R1",
            "aws/aws-sdk-go-v2#3550",
            "after an outage no call is retried any more until the process restarts",
            mistake: "no success refills the retry budget",
            .budgetNeverRefilled,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "R4",
            "square/okhttp#4253",
            "hundreds of requests follow one error",
            mistake: "a 503 is answered by the next attempt at once",
            .noBackoffAfter503,
            breaks: .clientProtocol,
            says: "before the end of the Retry-After"
        ),
        Exhibit(
            "R5",
            "gojek/heimdall#21",
            "a server restarts, and every client comes back in the same instant",
            mistake: "waits without jitter",
            client: MessengerApp.factory,
            control: nil,
            breaks: "fleet.recovery_requests",
            says: "over budget",
            showing: .setting("app.retry.jitter=none", in: "herd")
        ),
        Exhibit(
            "R6",
            "mixpanel/mixpanel-android#167",
            "the client comes back while it was asked to wait",
            mistake: "Retry-After is not read",
            .retryAfterIgnored,
            breaks: .clientProtocol,
            says: "before the end of the Retry-After"
        ),
        Exhibit(
            "R8",
            "amplitude/Amplitude-Swift#126",
            "a batch that the server answers 400 is sent hundreds of times, and the processor is never idle",
            mistake: "what is refused for good is sent again at once",
            .refusalTriedAtOnce,
            breaks: "retry.amplification",
            says: "over budget",
            showing: .profile("server-refuses-one")
        ),
        Exhibit(
            "R10",
            "segmentio/analytics-swift#152",
            "a host that does not answer: flush upon flush, each with every request",
            mistake: "a timer begins another flush while one is under way",
            .flushesOverlap,
            breaks: "retry.amplification",
            says: "over budget",
            showing: .profile("host-silent")
        ),
    ]
}
