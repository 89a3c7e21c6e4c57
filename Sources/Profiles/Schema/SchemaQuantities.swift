/// Patterns of quantities, as `QuantityText` reads them.
enum SchemaQuantities {
    private static let number = "[0-9][0-9_]*(\\.[0-9]{1,9})?"

    private static func one(_ units: [String]) -> String {
        "\(number) ?(\(units.joined(separator: "|")))"
    }

    private static let duration = one(["ns", "us", "ms", "s", "min", "h", "d"])
    private static let size = one(["B", "kB", "MB", "GB", "KiB", "MiB", "GiB"])

    private static func fixed(_ body: String) -> SchemaNode { .pattern("^\(body)$") }
    private static func ranged(_ body: String) -> SchemaNode {
        .pattern("^\(body)(\\.\\.\(body))?$")
    }

    /// Definitions that the schemas of all files share.
    static var definitions: [(key: String, value: SchemaNode)] {
        [
            ("duration", fixed(duration).described("A duration: ns, us, ms, s, min, h, d.")),
            (
                "durationRange",
                ranged(duration).described(
                    "A duration, or a range drawn by the seed: \"30s..45s\"."
                )
            ),
            (
                "size",
                fixed(size).described("A size: B, kB, MB, GB (1,000) or KiB, MiB, GiB (1,024).")
            ),
            (
                "sizeRange",
                ranged(size).described("A size, or a range drawn by the seed: \"200B..2KiB\".")
            ),
            (
                "rate",
                .pattern("^(unlimited|\(one(["bps", "kbps", "Mbps", "Gbps"])))$")
                    .described("A rate in bits: bps, kbps, Mbps, Gbps, or \"unlimited\".")
            ),
            (
                "probability",
                .pattern("^(\(number) ?%|[0-9]+/[1-9][0-9]*)$")
                    .described("A chance from 0 to 1: \"2%\" or \"1/50\".")
            ),
            ("power", fixed(one(["uW", "mW", "W"])).described("A power: uW, mW, W.")),
            (
                "battery",
                fixed(one(["mAh", "Ah"])).described("What a full battery holds, at 3.85 V.")
            ),
            (
                "route",
                .pattern("^(\(RouteText.methods.joined(separator: "|"))) /\\S*$")
                    .described("A method and a path, such as \"POST /messages\".")
            ),
        ]
    }
}
