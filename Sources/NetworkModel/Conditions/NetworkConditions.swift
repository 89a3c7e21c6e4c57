import Quantities

/// What the way to the server is like, phase after phase.
///
/// The last phase lasts for ever.
package struct NetworkConditions: Equatable, Sendable {
    /// In order of time; at least one.
    package var phases: [NetworkPhase]

    /// Makes conditions; traps without a phase.
    package init(phases: [NetworkPhase]) {
        precondition(!phases.isEmpty, "a network has at least one phase")
        self.phases = phases
    }
}

/// One phase: which interface, and what the link does, up and down apart.
package struct NetworkPhase: Equatable, Sendable {
    /// The name in the profile, such as "tunnel".
    package var name: String
    /// How long it lasts; nil for ever.
    package var duration: Duration?
    /// Which radio carries it.
    package var interface: NetworkInterface
    /// Toward the phone.
    package var down: LinkDirection
    /// From the phone.
    package var up: LinkDirection
    /// Propagation there and back, without queues.
    package var rtt: Duration
    /// The part of it on the way up; nil for half.
    package var oneWayUp: Duration?
    /// Each packet's one-way propagation is longer by a uniform draw from zero to this.
    package var jitter: Duration
    /// Whether jitter lets packets overtake each other; otherwise none arrives before its elders.
    package var reorders: Bool
    /// Whether bytes cost money.
    package var isMetered: Bool
    /// Stretches of this phase, counted from its start, in which the path is not up.
    package var interruptions: [PathInterruption]
    /// What happens on entering the phase; nil when the path merely changes its figures.
    package var handover: Handover?
    /// Time that a name lookup takes when it is not cached; zero when cached throughout.
    package var nameLookup: Duration
    /// What stands in the way and buffers whole requests; nil for none.
    package var proxy: ProxySettings?

    /// Makes a phase.
    package init(
        name: String,
        duration: Duration? = nil,
        interface: NetworkInterface = .cellular,
        down: LinkDirection,
        up: LinkDirection,
        rtt: Duration,
        oneWayUp: Duration? = nil,
        jitter: Duration = .zero,
        reorders: Bool = false,
        isMetered: Bool = false,
        interruptions: [PathInterruption] = [],
        handover: Handover? = nil,
        nameLookup: Duration = .zero,
        proxy: ProxySettings? = nil
    ) {
        self.name = name
        self.duration = duration
        self.interface = interface
        self.down = down
        self.up = up
        precondition(
            oneWayUp ?? .zero >= .zero && oneWayUp ?? .zero <= rtt,
            "one way up is no part of the round trip"
        )
        self.rtt = rtt
        self.oneWayUp = oneWayUp
        self.jitter = jitter
        self.reorders = reorders
        self.isMetered = isMetered
        self.interruptions = interruptions
        self.handover = handover
        self.nameLookup = nameLookup
        self.proxy = proxy
    }

    /// Propagation each way: what `oneWayUp` says, or half of the round trip.
    package var delays: (up: Duration, down: Duration) {
        let whole = rtt.wholeNanoseconds
        let up = oneWayUp?.wholeNanoseconds ?? whole / 2
        return (.nanoseconds(up), .nanoseconds(whole - up))
    }
}

/// Which radio carries the packets.
package enum NetworkInterface: String, Sendable, CaseIterable {
    case cellular
    case wifi
}

/// One direction of the bottleneck.
package struct LinkDirection: Equatable, Sendable {
    /// How fast bits are clocked out.
    package var rate: RateSchedule
    /// Packets that may wait behind the one being sent; more are dropped at the tail.
    package var queue: Int
    /// What is lost after the bottleneck; a lost packet has used its share of the rate.
    package var loss: LossModel

    /// Makes a direction.
    ///
    /// The queue's default of 100 packets is an assumption.
    package init(rate: RateSchedule, queue: Int = 100, loss: LossModel = .none) {
        self.rate = rate
        self.queue = queue
        self.loss = loss
    }

    /// Makes a direction of constant rate.
    package init(rate: BitRate, queue: Int = 100, loss: LossModel = .none) {
        self.init(rate: .constant(rate), queue: queue, loss: loss)
    }
}

/// How a rate goes over time, counted from the start of the phase.
package enum RateSchedule: Equatable, Sendable {
    case constant(BitRate)
    /// Each rate holds from its instant on; the first is at zero.
    case steps([Step])
    /// The same, beginning again after each period (recordings as `time,Mbps`).
    case repeatedSteps([Step], period: Duration)
    /// Delivery opportunities of 1,500 bytes, in milliseconds, repeated with the last as period (mahimahi).
    case opportunities([Int64])

    /// One step.
    package struct Step: Equatable, Sendable {
        package var from: Duration
        package var rate: BitRate

        /// Makes a step.
        package init(from: Duration, rate: BitRate) {
            self.from = from
            self.rate = rate
        }
    }
}

/// What is lost on the way.
package enum LossModel: Equatable, Sendable {
    case none
    /// Each packet alone.
    case bernoulli(Probability)
    /// Two states that last exponential times, as a radio fades.
    case gilbertElliottByTime(
        goodMean: Duration,
        badMean: Duration,
        lossInGood: Probability,
        lossInBad: Probability
    )
    /// Two states, stepped once a packet, as netem does (p, r, 1-h, 1-k).
    case gilbertElliottByPacket(
        toBad: Probability,
        toGood: Probability,
        lossInBad: Probability,
        lossInGood: Probability
    )
}

/// A stretch in which the path is not up.
package struct PathInterruption: Equatable, Sendable {
    /// From the start of the phase.
    package var at: Duration
    package var duration: Duration
    package var kind: Kind

    /// What the path does meanwhile.
    package enum Kind: String, Sendable, CaseIterable {
        /// No route, and the phone knows.
        case down
        /// Packets vanish, and nobody knows.
        case blackhole
        /// A portal answers instead of the internet.
        case captive
    }

    /// Makes an interruption.
    package init(at: Duration, duration: Duration, kind: Kind) {
        self.at = at
        self.duration = duration
        self.kind = kind
    }
}

/// The change to another access network.
package struct Handover: Equatable, Sendable {
    /// No route for this long.
    package var gap: Duration
    /// A new address: old connections die without a FIN.
    package var newAddress: Bool

    /// Makes a handover.
    package init(gap: Duration, newAddress: Bool) {
        self.gap = gap
        self.newAddress = newAddress
    }
}
