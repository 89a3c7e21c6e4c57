extension MetricCatalogue {
    /// What the lab's own screen reports of the rows of a list.
    static let rows: [MetricDefinition] = [
        MetricDefinition(
            "screen.placeholder_ms",
            .milliseconds,
            "Time that a row showed a placeholder in place of its picture.",
            computed: "One sample for each row that came on the screen: until its picture, or "
                + "until it left.",
            by: "screen model",
            isSampled: true,
            isReported: true
        ),
        MetricDefinition(
            "screen.bitmap_to_place",
            .ratio,
            "Pixels decoded over pixels shown: below 1 is blurred, 4 is waste.",
            computed: "One sample for each row that showed a bitmap: its pixels over those of its "
                + "place.",
            by: "screen model",
            isSampled: true,
            isReported: true
        ),
        MetricDefinition(
            "screen.rows_without_picture",
            .count,
            "Rows on the screen at the end that show no picture.",
            computed: "Counted once, at the end of the run, on the list that is on the screen: "
                + "refused, damaged, given up or still awaited.",
            by: "screen model",
            isSampled: true,
            isReported: true
        ),
        MetricDefinition(
            "screen.decode_s",
            .seconds,
            "Processor time of all decoding so far in a launch.",
            computed: "One sample for each decoding: the sum since the launch. The maximum is a "
                + "launch's whole.",
            by: "image cache, device model",
            isSampled: true,
            isReported: true
        ),
    ]

    /// Leaving the app and coming back to it.
    static let app: [MetricDefinition] = [
        MetricDefinition(
            "app.background_bytes",
            .bytes,
            "What the app held when another app needed the memory.",
            computed: "One sample for each time that the app was left: its charged memory as the "
                + "other asked for room.",
            by: "memory model",
            isSampled: true,
            isReported: true
        ),
        MetricDefinition(
            "app.cold_start_ms",
            .milliseconds,
            "Time until an app that was killed out of sight can be used again.",
            computed: "One sample for each return to a process that had to be started: the "
                + "device's cost of it.",
            by: "lifecycle, device model",
            isSampled: true,
            isReported: true
        ),
        MetricDefinition(
            "app.warm_start_ms",
            .milliseconds,
            "Time until an app that was still there can be used again.",
            computed: "One sample for each return to a process that lived: the device's cost of "
                + "it.",
            by: "lifecycle, device model",
            isSampled: true,
            isReported: true
        ),
    ]

    /// What an app is given while it is out of sight.
    static let background: [MetricDefinition] = [
        MetricDefinition(
            "background.window_s",
            .seconds,
            "Time that the system gave the app for work out of sight.",
            computed: "One sample for each window: from its opening until the app ended it or the "
                + "system did.",
            by: "system policy",
            isSampled: true,
            isReported: true
        ),
        MetricDefinition(
            "background.suspended_s",
            .seconds,
            "Time for which the app's process stood still.",
            computed: "One sample for each suspension that ended with more time for the process.",
            by: "system policy",
            isSampled: true,
            isReported: true
        ),
    ]

    /// A crowd of clients against one server.
    static let fleet: [MetricDefinition] = [
        MetricDefinition(
            "fleet.unanswered",
            .count,
            "Calls that ended without a good answer: 1 each, 0 for the others.",
            computed: "One sample for each call of each client; the mean is their share.",
            by: "clients of the fleet",
            isSampled: true,
            isReported: true
        ),
        MetricDefinition(
            "fleet.recovery_requests",
            .count,
            "Requests in a window of time after the last outage.",
            computed: "One sample for each window of 100 ms from the last healing to the end.",
            by: "server model",
            isSampled: true,
            isReported: true
        ),
        MetricDefinition(
            "fleet.phone_energy_j",
            .joules,
            "What the radios of one phone of a fleet drew while they were not idle.",
            computed: "One sample for each phone: promotion, active and tail.",
            by: "radio model",
            isSampled: true,
            isReported: true
        ),
    ]
}
