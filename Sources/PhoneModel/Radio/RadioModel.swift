import Quantities
import Trace

/// A radio as data: which machine it is, with which states, timers and powers, and who says so.
package struct RadioModel: Equatable, Sendable {
    /// The file's name, such as "lte-2012-aro".
    package var name: String
    /// One line for people.
    package var title: String
    /// When it was measured or published.
    package var year: Int
    /// How much of it is published.
    package var grade: Grade
    /// The access technology.
    package var technology: Technology
    /// The machine and its figures.
    package var machine: Machine
    /// Where each figure comes from, by its path in the file, in the order of the file.
    package var sources: [FieldSource]

    /// How much of a radio is published.
    package enum Grade: String, Sendable, CaseIterable {
        /// Timers and powers are published.
        case a = "A"
        /// Timers are published, powers are assumed.
        case b = "B"
        /// Both are assumed, or powers are an approximation nobody has validated.
        case c = "C"
    }

    /// The access technology, as a user would name it.
    package enum Technology: String, Sendable, CaseIterable {
        case lte
        case nr
        case umts
        case wifi
        /// Of no technology: for arithmetic that can be checked by hand.
        case ideal
    }

    /// Which machine drives the states.
    package enum Machine: Equatable, Sendable {
        /// Promotion, activity, a chain of tails: LTE, 5G, Wi-Fi with one active power.
        case chain(ChainParameters)
        /// 3G with DCH and FACH, RLC queues, and a DCH timer that small packets do not restart.
        case sharedChannel(SharedChannelParameters)
        /// 3G as EnergyBox has it: buffers and thresholds, no promotion power.
        case bufferedChannel(BufferedChannelParameters)
        /// Wi-Fi power save with a high-rate mode.
        case powerSave(PowerSaveParameters)
    }

    /// Where one figure comes from.
    package struct FieldSource: Equatable, Sendable {
        /// The path in the file, such as "promotion.delay".
        package var field: String
        /// A citation, or a sentence that begins with "assumption".
        package var source: String

        /// Makes an entry.
        package init(field: String, source: String) {
            self.field = field
            self.source = source
        }
    }

    /// Makes a model.
    package init(
        name: String,
        title: String,
        year: Int,
        grade: Grade,
        technology: Technology,
        machine: Machine,
        sources: [FieldSource] = []
    ) {
        self.name = name
        self.title = title
        self.year = year
        self.grade = grade
        self.technology = technology
        self.machine = machine
        self.sources = sources
    }

    /// Every state, in the order in which machines number them; the first is idle.
    package var states: [RadioState] {
        switch machine {
        case .chain(let parameters): parameters.states
        case .sharedChannel(let parameters): parameters.states
        case .bufferedChannel(let parameters): parameters.states
        case .powerSave(let parameters): parameters.states
        }
    }

    /// Energy by size, on top of the states.
    package var slope: TransferSlope {
        guard case .chain(let parameters) = machine else { return TransferSlope() }
        return parameters.slope
    }

    /// The radio of the textbook figures: no promotion, 0 W idle, 500 mW while up, a 10 s tail.
    ///
    /// Assumption throughout: round numbers for arithmetic by hand (DESIGN 4 and 11).
    package static func textbook(tail: Duration = .seconds(10)) -> RadioModel {
        RadioModel(
            name: "textbook",
            title: "500 mW while up, \(tail.compactText) tail",
            year: 2026,
            grade: .c,
            technology: .ideal,
            machine: .chain(
                ChainParameters(
                    idle: RadioState("IDLE", .idle, .zero),
                    promotion: .init(
                        state: RadioState("PROMOTION", .promotion, .milliwatts(500)),
                        delay: .zero
                    ),
                    active: RadioState("ACTIVE", .active, .milliwatts(500)),
                    tail: [
                        .init(state: RadioState("TAIL", .tail, .milliwatts(500)), duration: tail)
                    ]
                )
            ),
            sources: [.init(field: "*", source: "assumption: round numbers for arithmetic by hand")]
        )
    }
}
