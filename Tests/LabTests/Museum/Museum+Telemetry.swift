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
            "T9",
            "segmentio/analytics_flutter#179",
            "a Wi-Fi without internet is joined, and events are lost",
            mistake: "an attempt that no answer came to is dropped",
            .droppedOnFailure,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
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
    ]
}
