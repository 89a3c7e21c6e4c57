extension MetricCatalogue {
    /// Streams of events from the server.
    static let live: [MetricDefinition] = [
        MetricDefinition(
            "push.events",
            .count,
            "Events that the server published for the app.",
            computed: "Events of the server's stream, whether anyone listened or not.",
            by: "server"
        ),
        MetricDefinition(
            "push.missed",
            .count,
            "Events that never reached the phone.",
            computed: "push.events less the different events that arrived by the end of the run.",
            by: "network model"
        ),
        MetricDefinition(
            "push.repeated",
            .count,
            "Events that arrived again.",
            computed: "Arrivals of events that had arrived before.",
            by: "network model"
        ),
        MetricDefinition(
            "push.reconnections",
            .count,
            "Times that the event stream was opened again.",
            computed: "Openings of the stream after the first one of a launch.",
            by: "network model"
        ),
        MetricDefinition(
            "push.delay_ms",
            .milliseconds,
            "From the publishing of an event to its arrival.",
            computed: "One sample for each different event that arrived.",
            by: "network model",
            isSampled: true
        ),
    ]
}
