import PhoneModel
import Quantities
import Trace

/// What a capture costs, and why.
package struct CaptureReport: Sendable {
    /// The file, as the user named it.
    package var path: String
    /// Whose arithmetic.
    package var mode: AnalysisMode
    /// The radios that were assumed, in the order of the interfaces.
    package var radios: [RadioModel]
    /// From the beginning to the end of the capture.
    package var length: Duration
    /// Packets that were charged.
    package var packets: Int
    /// Bytes of IP toward the network.
    package var upBytes: Int64
    /// Bytes of IP from the network.
    package var downBytes: Int64
    /// The device's addresses, as text.
    package var deviceAddresses: [String]
    /// Apps that the capture names, largest first.
    package var apps: [(name: String, packets: Int)]
    /// The app that was asked for.
    package var app: String?
    /// What a reader should know about the input.
    package var notes: [String]
    /// Time and energy by state, in the order of the radio files.
    package var states: [StateTotal]
    /// Promotions, those from within a tail too.
    package var promotions: Int
    /// Joules that are still to be drawn in the tail that the capture's end cuts off.
    package var cutTailJoules: Double
    /// Bursts with what they were for; energies by the exact arithmetic.
    package var bursts: [BurstCost]
    /// Cost by host and path, most expensive first; by the exact arithmetic.
    package var hosts: [HostCost]
    /// Transfers that come again and again, most expensive first.
    package var periods: [PeriodicTransfer]
    /// What the published rules find.
    package var findings: [CaptureFinding]
    /// What would save most, largest first.
    package var advice: [CaptureAdvice]

    /// One state's total.
    package struct StateTotal: Equatable, Sendable {
        package var radio: String
        package var state: String
        package var kind: RadioInterval.Kind
        package var count: Int
        package var seconds: Double
        package var joules: Double
    }

    /// A burst, its host and what it cost.
    package struct BurstCost: Equatable, Sendable {
        package var burst: Burst
        package var host: String
    }

    /// Everything, idle too, in joules.
    package var joules: Double { states.reduce(0) { $0 + $1.joules } }
    /// What was drawn beyond idle, in joules: what a run calls `radio.energy_j`.
    package var onJoules: Double { joules - joules(.idle) }
    /// The part of `onJoules` that was drawn in tails, in percent.
    package var tailShare: Double { onJoules > 0 ? tailJoules / onJoules * 100 : 0 }
    /// What was drawn in tails, in joules.
    package var tailJoules: Double { joules(.tail) }
    /// Promotion, activity and tail together, in seconds.
    package var onSeconds: Double {
        states.filter { $0.kind != .idle }.reduce(0) { $0 + $1.seconds }
    }

    /// Joules of the states of a kind.
    package func joules(_ kind: RadioInterval.Kind) -> Double {
        states.filter { $0.kind == kind }.reduce(0) { $0 + $1.joules }
    }

    /// Seconds in the states of a kind.
    package func seconds(_ kind: RadioInterval.Kind) -> Double {
        states.filter { $0.kind == kind }.reduce(0) { $0 + $1.seconds }
    }

    /// The figures under their metric names, each as a run defines it, for budgets and tables.
    package var metrics: [(name: String, value: Double)] {
        [
            ("radio.energy_j", onJoules), ("energy.total_j", joules),
            ("radio.tail_energy_j", tailJoules),
            ("radio.on_s", onSeconds), ("radio.active_s", seconds(.active)),
            ("radio.tail_s", seconds(.tail)), ("radio.promotions", Double(promotions)),
            ("network.up_bytes", Double(upBytes)), ("network.down_bytes", Double(downBytes)),
        ]
    }
}

/// What one host cost.
package struct HostCost: Equatable, Sendable {
    package var host: String
    package var joules: Double
    /// The part of `joules` that was drawn in tails.
    package var tailJoules: Double
    package var packets: Int
    package var upBytes: Int64
    package var downBytes: Int64
    /// Requests that could be seen, most expensive first; empty where all is encrypted.
    package var paths: [PathCost]

    /// What one request path cost.
    package struct PathCost: Equatable, Sendable {
        /// Method and path without its query.
        package var path: String
        package var joules: Double
        package var tailJoules: Double
        package var packets: Int
    }
}

/// The same host again and again at the same interval.
package struct PeriodicTransfer: Equatable, Sendable {
    package var host: String
    package var period: Duration
    /// How many bursts follow the period.
    package var count: Int
    /// What those bursts cost together.
    package var joules: Double
}

/// What a published rule says of the capture.
package struct CaptureFinding: Equatable, Sendable {
    /// The rule's name.
    package var rule: String
    package var verdict: Verdict
    /// One sentence with the figures.
    package var message: String

    /// Whether a rule is kept.
    package enum Verdict: String, Sendable, CaseIterable {
        case pass
        case warn
        case fail
    }
}

/// A change that would save energy, computed by running the ledger again.
package struct CaptureAdvice: Equatable, Sendable {
    /// What to change.
    package var message: String
    /// What it would have saved in this capture.
    package var savedJoules: Double
}
