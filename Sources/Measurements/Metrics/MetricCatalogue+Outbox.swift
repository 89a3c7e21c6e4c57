extension MetricCatalogue {
    /// Promised actions on their way to the server: those without bytes to upload.
    static let outbox: [MetricDefinition] = [
        MetricDefinition(
            "outbox.enqueued",
            .count,
            "Actions that were promised to the person.",
            computed:
                "Promises of actions that have to take effect at the server and have no bytes to "
                + "upload.",
            by: "workload, client"
        ),
        MetricDefinition(
            "outbox.acknowledged",
            .count,
            "Promised actions that the app reported as done.",
            computed:
                "Actions settled as acknowledged or as superseded by a later one; of kinds whose "
                + "app reports nothing, those that took effect.",
            by: "client"
        ),
        MetricDefinition(
            "outbox.lost",
            .count,
            "Promised actions that never took effect.",
            computed:
                "Promised actions without an effect at the end, unless the person was told or "
                + "a later one took their place.",
            by: "server's truth",
            guarantee: .exactlyOnce
        ),
        MetricDefinition(
            "outbox.duplicated",
            .count,
            "Effects beyond the one that was asked for.",
            computed: "Effects of an identity beyond the number of actions that carry it.",
            by: "server's truth",
            guarantee: .exactlyOnce
        ),
        MetricDefinition(
            "outbox.reordered",
            .count,
            "Effects that overtook an earlier one on their entity.",
            computed: "Effects whose action is earlier than one that took effect before it, on the "
                + "same entity.",
            by: "server's truth",
            guarantee: .inOrder
        ),
        MetricDefinition(
            "outbox.dead_lettered",
            .count,
            "Promised actions that the app gave up and told.",
            computed: "Actions settled as dead-lettered, rejected or expired.",
            by: "client"
        ),
        MetricDefinition(
            "outbox.drain_s",
            .seconds,
            "Time to empty the outbox once it could be emptied.",
            computed: "One sample for each outage that ends (path back up, or a fault healed) and "
                + "one for the last promise, if the outbox is not empty then: from there until "
                + "it is empty, or until the end of the run if it never is.",
            by: "client, network model",
            isSampled: true
        ),
        MetricDefinition(
            "outbox.oldest_age_s",
            .seconds,
            "Longest time that any action stayed in the outbox.",
            computed: "Largest time from promise to settlement, or to the end if it never settled.",
            by: "client"
        ),
        MetricDefinition(
            "outbox.promise_to_ack_s",
            .seconds,
            "Time from a promise until it was kept.",
            computed:
                "One sample for each acknowledged action: from promise to settlement, or to its "
                + "effect if its app reports nothing.",
            by: "client",
            isSampled: true
        ),
    ]

    /// Files on their way to the server: actions with bytes to upload.
    static let upload: [MetricDefinition] = [
        MetricDefinition(
            "upload.finished",
            .count,
            "Uploads that the app reported as finished.",
            computed: "Actions with bytes to upload, settled as acknowledged.",
            by: "client"
        ),
        MetricDefinition(
            "upload.failed",
            .count,
            "Uploads that the app gave up and told.",
            computed: "Actions with bytes to upload, settled in any other way.",
            by: "client"
        ),
        MetricDefinition(
            "upload.duration_s",
            .seconds,
            "Time that an upload took as the person saw it.",
            computed: "One sample for each finished upload: from the action to its settlement.",
            by: "client",
            isSampled: true
        ),
        MetricDefinition(
            "upload.sent_bytes",
            .bytes,
            "Bytes that left the phone for uploads.",
            computed: "Transport payload of uplink packets of the owners whose requests reached an "
                + "upload at the server: request heads, TLS records and retransmissions included.",
            by: "network model"
        ),
        MetricDefinition(
            "upload.overhead_pct",
            .percent,
            "What uploads sent beyond the bytes that were kept.",
            computed: "(upload.sent_bytes / bytes that the server kept - 1) x 100.",
            by: "network model, server model"
        ),
        MetricDefinition(
            "upload.sessions",
            .count,
            "Uploads that were created at the server.",
            computed: "Creations; one for each file is right.",
            by: "server model"
        ),
        MetricDefinition(
            "upload.progress_regressions",
            .count,
            "How often shown progress fell.",
            computed: "Reports of progress below an earlier one of the same action.",
            by: "client",
            guarantee: .progressHonest
        ),
        MetricDefinition(
            "upload.corrupt",
            .count,
            "Uploads that finished with other bytes.",
            computed: "Completions whose length or digest differs from the action's.",
            by: "server's truth",
            guarantee: .bytesIdentical
        ),
    ]
}
