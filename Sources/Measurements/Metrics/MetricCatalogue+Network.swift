extension MetricCatalogue {
    /// Bytes, requests and connections.
    static let network: [MetricDefinition] = [
        MetricDefinition(
            "network.up_bytes",
            .bytes,
            "Bytes that left the phone over the air.",
            computed: "IP sizes of uplink packets, headers and retransmissions included.",
            by: "network model"
        ),
        MetricDefinition(
            "network.down_bytes",
            .bytes,
            "Bytes that reached the phone over the air.",
            computed: "IP sizes of downlink packets, headers and retransmissions included.",
            by: "network model"
        ),
        MetricDefinition(
            "network.retransmitted_bytes",
            .bytes,
            "Payload that crossed the air again.",
            computed: "Transport payload of packets marked as retransmissions, both directions.",
            by: "network model"
        ),
        MetricDefinition(
            "network.discarded_bytes",
            .bytes,
            "Response bytes that were paid for and thrown away.",
            computed:
                "Bytes of responses that arrived but were never handed over whole to the app.",
            by: "network model"
        ),
        MetricDefinition(
            "network.metered_bytes",
            .bytes,
            "Bytes over a metered path.",
            computed: "IP sizes of packets, both directions, while the path was metered.",
            by: "network model"
        ),
        MetricDefinition(
            "network.requests",
            .count,
            "Requests that the app started.",
            computed: "Starts of requests, each attempt counted.",
            by: "network model"
        ),
        MetricDefinition(
            "network.handshakes",
            .count,
            "Security handshakes that were completed.",
            computed: "Connections that opened with TLS or QUIC, resumed ones included.",
            by: "network model"
        ),
        MetricDefinition(
            "network.connections",
            .count,
            "Connections that became usable.",
            computed: "Openings of connections.",
            by: "network model"
        ),
    ]

    /// Attempts, and what they did to the server.
    static let retry: [MetricDefinition] = [
        MetricDefinition(
            "retry.attempts",
            .count,
            "Attempts of all operations, first ones included.",
            computed: "Starts of requests that name an operation.",
            by: "client, network model"
        ),
        MetricDefinition(
            "retry.amplification",
            .ratio,
            "Attempts for each operation: 1 is no retry at all.",
            computed: "retry.attempts over the distinct operations among them.",
            by: "client, network model"
        ),
        MetricDefinition(
            "server.requests",
            .count,
            "Requests that reached the server.",
            computed: "Requests as the server saw them, refused ones included.",
            by: "server model"
        ),
        MetricDefinition(
            "server.peak_requests",
            .count,
            "Most requests in one window of time.",
            computed: "Largest count of requests in one of the adjoining windows that begin at the "
                + "run's start; 100 ms long unless said otherwise.",
            by: "server model"
        ),
    ]

    /// Waiting, as the person feels it.
    static let user: [MetricDefinition] = [
        MetricDefinition(
            "user.wait_s",
            .seconds,
            "Time that the person waited for an answer on the screen.",
            computed: "One sample for each wait that a workload verb reports.",
            by: "workload",
            isSampled: true
        )
    ]
}
