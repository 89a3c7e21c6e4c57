/// What a full battery holds, and what share of it an amount of energy is.
public struct BatteryCapacity: Hashable, Sendable, Codable {
    /// Charge in milliampere-hours, as printed on the battery.
    public let milliampereHours: Int64
    /// Nominal voltage in millivolts; 3,850 for the lithium cells of today's phones (design F3).
    public let millivolts: Int64

    /// Makes a capacity; traps unless both are positive.
    public init(milliampereHours: Int64, millivolts: Int64 = 3_850) {
        precondition(milliampereHours > 0 && millivolts > 0, "a battery holds something")
        self.milliampereHours = milliampereHours
        self.millivolts = millivolts
    }

    /// mAh x V x 3.6 joules: 3,000 mAh at 3.85 V hold 41,580 J.
    public var energy: Energy {
        Energy(femtojoules: Int128(milliampereHours) * Int128(millivolts) * 3_600_000_000_000)
    }

    /// The share of the full battery that `amount` is, in percent, for reports.
    public func percentage(of amount: Energy) -> Double {
        amount.inJoules / energy.inJoules * 100
    }
}
