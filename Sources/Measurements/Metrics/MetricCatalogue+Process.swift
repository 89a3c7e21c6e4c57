extension MetricCatalogue {
    /// Launches, kills and memory.
    static let process: [MetricDefinition] = [
        MetricDefinition(
            "process.cold_starts",
            .count,
            "How often the app's process was started.",
            computed: "Launches of the process, the first one included.",
            by: "lifecycle"
        ),
        MetricDefinition(
            "process.os_kills",
            .count,
            "How often the system killed the app by its policy.",
            computed: "Ends of the process while in the background or for a lock held in "
                + "suspension; breaches of the memory cap are counted apart.",
            by: "lifecycle"
        ),
        MetricDefinition(
            "process.injected_kills",
            .count,
            "How often a fault of the profile ended the app.",
            computed: "Ends of the process by kill, force-quit or loss of power.",
            by: "faults"
        ),
        MetricDefinition(
            "process.memory_kills",
            .count,
            "How often the app broke its memory cap.",
            computed: "Ends of the process for memory beyond the cap.",
            by: "memory model"
        ),
        MetricDefinition(
            "memory.accounted_peak_bytes",
            .bytes,
            "Most memory charged to the app at once.",
            computed:
                "Largest total of charged memory; what no seam and no meter sees is not in it.",
            by: "memory model"
        ),
    ]

    /// The disk.
    static let storage: [MetricDefinition] = [
        MetricDefinition(
            "storage.peak_bytes",
            .bytes,
            "Most bytes that the app held on disk at once.",
            computed: "Largest use of the disk that was reported.",
            by: "disk model"
        ),
        MetricDefinition(
            "storage.written_bytes",
            .bytes,
            "Bytes that the app wrote to disk.",
            computed: "Sizes of all writes to all files.",
            by: "disk model"
        ),
        MetricDefinition(
            "storage.syncs",
            .count,
            "How often the app made the disk durable.",
            computed: "Syncs of all files.",
            by: "disk model"
        ),
        MetricDefinition(
            "storage.commits",
            .count,
            "Transactions that were committed.",
            computed: "Commits of all databases.",
            by: "SQLite"
        ),
    ]
}
