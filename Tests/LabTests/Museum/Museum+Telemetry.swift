import Lab
import Measurements

extension Museum {
    /// Queues of what an app noted.
    static let telemetry: [Exhibit] = [
        Exhibit(
            "T1",
            "PostHog/posthog-js#3031",
            "events that were sent just before a crash are sent again as new ones",
            mistake: "what tells two sendings of an event apart lives in memory",
            .keyMadeAtLaunch,
            breaks: .exactlyOnce,
            says: "took effect twice at the server"
        ),
        Exhibit(
            "T2",
            "PostHog/posthog-ios#702",
            "events are sent again and again while a file of the queue cannot be read",
            mistake: "what cannot be read is skipped, and what was sent is taken away by its place",
            client: events(.takenAwayByPlace),
            control: events([]),
            breaks: GuaranteeName.exactlyOnce.text,
            says: "took effect twice at the server",
            showing: .profile("one-file-locked")
        ),
        Exhibit(
            "T4",
            "rudderlabs/rudder-sdk-ios#616",
            "a flush without a network, and the queue is silent for weeks",
            mistake: "a flush that finds no path keeps the lock",
            .lockLeakedOffline,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "T5",
            "segmentio/analytics-react-native#833",
            "events from just before a kill are never sent",
            mistake: "events are kept in memory and written down every other second",
            .savedAfterDelay,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "T7",
            "segmentio/analytics-swift#430",
            "one event that the server refuses holds up all that are sent with it",
            mistake: "a batch that is refused is tried again as it is",
            client: events(.refusedBatchStays),
            control: events([]),
            breaks: GuaranteeName.exactlyOnce.text,
            says: "never took effect at the server",
            showing: .profile("one-event-refused")
        ),
        Exhibit(
            "T9",
            "segmentio/analytics_flutter#179",
            "a Wi-Fi without internet is joined, and events are lost",
            mistake: "an attempt that no answer came to is dropped",
            .droppedOnFailure,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "T11",
            "mixpanel/mixpanel-swift#264",
            "events that the server has are sent once more by the next launch",
            mistake: "the store hears that an event was taken when the app goes out of sight",
            .storeBehindMemory,
            breaks: .exactlyOnce,
            says: "took effect twice at the server"
        ),
        Exhibit(
            "T12",
            "getsentry/sentry-java#1847",
            "a report that was cached is removed although the server answered an error",
            mistake: "any answer is taken for a yes",
            .anyAnswerIsSuccess,
            breaks: .exactlyOnce,
            says: "although the app said"
        ),
        Exhibit(
            "T13",
            "getsentry/sentry-java#1932",
            "what was cached offline is sent by the next launch, and not before",
            mistake: "a failure puts the entry into a store that only a launch reads",
            .storedForNextLaunchOnly,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "T15",
            "amplitude/Amplitude-Swift#77",
            "a long backlog fills the memory when it is sent",
            mistake: "all that waits is read at once and goes into one batch",
            client: events(.wholeBacklogAtOnce),
            control: events([]),
            breaks: "memory.accounted_peak_bytes",
            says: "over budget",
            showing: .profile("backlog")
        ),
    ]

    private static func events(_ defects: EventDefects) -> AppFactory {
        LabRuns.app { try EventQueue($0, defects: defects) }
    }
}
