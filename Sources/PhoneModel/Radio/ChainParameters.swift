import Quantities

/// Figures of a radio that wakes, works, and falls asleep through a chain of tails.
package struct ChainParameters: Equatable, Sendable {
    /// Asleep; listens for paging by pulses of its draw.
    package var idle: RadioState
    /// From idle to active.
    package var promotion: Promotion
    /// Sending or receiving.
    package var active: RadioState
    /// On top of `active` by size.
    package var slope: TransferSlope
    /// What follows the last packet, in order; at least one step.
    package var tail: [TailStep]

    /// The way up, with its wait and its draw.
    package struct Promotion: Equatable, Sendable {
        /// Drawn meanwhile.
        package var state: RadioState
        /// A packet waits this long.
        package var delay: Duration

        /// Makes a promotion.
        package init(state: RadioState, delay: Duration) {
            self.state = state
            self.delay = delay
        }
    }

    /// One step of the tail.
    package struct TailStep: Equatable, Sendable {
        /// The state.
        package var state: RadioState
        /// How long it lasts if no packet comes.
        package var duration: Duration
        /// A gap that ends within this step counts as activity: the inactivity timer has not run out.
        package var bridges: Bool
        /// The way up from here, for states that are not connected (RRC_INACTIVE); nil if at once.
        package var resume: Promotion?

        /// Makes a step.
        package init(
            state: RadioState,
            duration: Duration,
            bridges: Bool = false,
            resume: Promotion? = nil
        ) {
            self.state = state
            self.duration = duration
            self.bridges = bridges
            self.resume = resume
        }
    }

    /// Makes the figures; traps without a tail.
    package init(
        idle: RadioState,
        promotion: Promotion,
        active: RadioState,
        slope: TransferSlope = TransferSlope(),
        tail: [TailStep]
    ) {
        precondition(!tail.isEmpty, "a chain has a tail")
        self.idle = idle
        self.promotion = promotion
        self.active = active
        self.slope = slope
        self.tail = tail
    }

    /// Idle, promotion, active, the tail's states, then the promotions from within the tail.
    package var states: [RadioState] {
        [idle, promotion.state, active] + tail.map(\.state) + tail.compactMap(\.resume?.state)
    }

    /// The whole tail, from the last packet to idle.
    package var tailDuration: Duration { tail.reduce(.zero) { $0 + $1.duration } }

    /// Energy of a whole tail that nothing interrupts.
    package var tailEnergy: Energy {
        tail.reduce(.zero) { $0 + $1.state.draw.energy(first: $1.duration.wholeNanoseconds) }
    }
}
