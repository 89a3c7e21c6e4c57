extension Duration: QuantityText {
    /// Reads `"150ms"`, `"2min"`, `"1.5h"`.
    ///
    /// Units ns, us, ms, s, min, h, d. `"2m"` is refused.
    public init(text: String) throws(QuantityError) {
        let units: [QuantityScanner.Unit] = [
            .init("ns", 1), .init("us", 1_000), .init("ms", 1_000_000),
            .init("s", 1_000_000_000), .init("min", 60_000_000_000),
            .init("h", 3_600_000_000_000), .init("d", 86_400_000_000_000),
        ]
        let nanoseconds = try QuantityScanner.read(
            text,
            as: "a duration",
            units: units,
            example: "150ms",
            hints: [
                "m": "'m' could be minutes or milli; write \"min\" or \"ms\"",
                "sec": "write \"s\"", "mins": "write \"min\"", "hours": "write \"h\"",
            ]
        )
        self = .nanoseconds(nanoseconds)
    }
}

extension ByteCount: QuantityText {
    /// Reads `"256KiB"`, `"3.5MB"`.
    ///
    /// Units B, kB, MB, GB, KiB, MiB, GiB. Bits are refused.
    public init(text: String) throws(QuantityError) {
        let units: [QuantityScanner.Unit] = [
            .init("B", 1), .init("kB", 1_000), .init("MB", 1_000_000), .init("GB", 1_000_000_000),
            .init("KiB", 1 << 10), .init("MiB", 1 << 20), .init("GiB", 1 << 30),
        ]
        let rate = "that is a rate; a size is in bytes, such as \"15MB\""
        self.init(
            try QuantityScanner.read(
                text,
                as: "a size",
                units: units,
                example: "256KiB",
                hints: [
                    "mbps": rate, "Mbps": rate, "kbps": rate, "Gbps": rate, "bps": rate,
                    "KB": "write \"kB\" for 1,000 or \"KiB\" for 1,024 bytes",
                ]
            )
        )
    }
}

extension BitRate: QuantityText {
    /// Reads `"12Mbps"`, `"250kbps"`, `"unlimited"`; units bps, kbps, Mbps, Gbps.
    public init(text: String) throws(QuantityError) {
        guard text != "unlimited" else {
            self = .unlimited
            return
        }
        let units: [QuantityScanner.Unit] = [
            .init("bps", 1), .init("kbps", 1_000), .init("Mbps", 1_000_000),
            .init("Gbps", 1_000_000_000),
        ]
        self.init(
            bitsPerSecond: try QuantityScanner.read(
                text,
                as: "a rate",
                units: units,
                example: "12Mbps",
                hints: [
                    "mbps": "write \"Mbps\"", "Kbps": "write \"kbps\"",
                    "MB/s": "rates are in bits; 1 MB/s is \"8Mbps\"",
                ]
            )
        )
    }
}

extension Power: QuantityText {
    /// Reads `"500mW"`, `"1.21W"`; units uW, mW, W.
    public init(text: String) throws(QuantityError) {
        let units: [QuantityScanner.Unit] = [
            .init("uW", 1), .init("mW", 1_000), .init("W", 1_000_000),
        ]
        self.init(
            microwatts: try QuantityScanner.read(
                text,
                as: "a power",
                units: units,
                example: "500mW"
            )
        )
    }
}

extension Energy: QuantityText {
    /// Reads `"950J"`, `"12.5mJ"`; units nJ, uJ, mJ, J, kJ.
    public init(text: String) throws(QuantityError) {
        let units: [QuantityScanner.Unit] = [
            .init("nJ", 1), .init("uJ", 1_000), .init("mJ", 1_000_000), .init("J", 1_000_000_000),
            .init("kJ", 1_000_000_000_000),
        ]
        self.init(
            nanojoules: try QuantityScanner.read(
                text,
                as: "an energy",
                units: units,
                example: "950J"
            )
        )
    }
}

extension BatteryCapacity: QuantityText {
    /// Reads `"4500mAh"` at the nominal 3.85 V.
    public init(text: String) throws(QuantityError) {
        let units: [QuantityScanner.Unit] = [.init("mAh", 1), .init("Ah", 1_000)]
        let charge = try QuantityScanner.read(
            text,
            as: "a battery charge",
            units: units,
            example: "4500mAh"
        )
        guard charge > 0 else {
            throw QuantityError(
                text: text,
                problem: "is no battery",
                remedy: "write a charge above zero"
            )
        }
        self.init(milliampereHours: charge)
    }
}

extension Probability: QuantityText {
    /// Reads `"2%"`, `"0.5%"`, `"1/50"`.
    public init(text: String) throws(QuantityError) {
        let remedy = "write a ratio between 0 and 1, such as \"2%\" or \"1/50\""
        if text.contains("/") {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let numerator = UInt64(parts[0]),
                let denominator = UInt64(parts[1]), denominator > 0
            else {
                throw QuantityError(text: text, problem: "is not a ratio", remedy: remedy)
            }
            guard numerator <= denominator else {
                throw QuantityError(text: text, problem: "is greater than 1", remedy: remedy)
            }
            self.init(numerator, of: denominator)
            return
        }
        let millionthsOfPercent = try QuantityScanner.read(
            text,
            as: "a probability",
            units: [.init("%", 1_000_000)],
            example: "2%",
            hints: ["": "probabilities carry a percent sign or a slash: \"2%\" or \"1/50\""]
        )
        guard millionthsOfPercent <= 100_000_000 else {
            throw QuantityError(text: text, problem: "is greater than 1", remedy: remedy)
        }
        self.init(UInt64(millionthsOfPercent), of: 100_000_000)
    }
}
