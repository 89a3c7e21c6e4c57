import CVirtualTime
import Quantities

/// Simulated time: a queue of events ordered by (instant, sequence), the processes of a world, and the
/// streams of one seed.
///
/// One thread runs a world. Everything that a world's code does on that thread is simulated: jobs of
/// unmodified `async` code, clocks, entropy. Cost: an event of a receiver takes about as long as one of a C++
/// `std::priority_queue`; `scripts/bench` prints the ratio.
@usableFromInline
package final class Simulation: @unchecked Sendable {
    /// The root of all randomness in this world.
    package let seed: UInt64
    /// How asynchronous code is captured.
    package let mode: LabMode
    /// What killed processes owned.
    package let morgue = Morgue()
    /// How much may happen before a run is called endless.
    package var budget = EventBudget() {
        didSet { resetStop() }
    }

    let core: UnsafeMutablePointer<KernelCore>
    @usableFromInline
    let state: UnsafeMutablePointer<onebar_world_state>
    let foreignWakeUps = ForeignWakeUps()
    /// By index; the first stands for the world and has no object.
    var incarnations: [Incarnation?] = [nil]
    var droppedDrains: [DroppedDrain] = []
    var isRunning = false
    private let wallStartNanoseconds: Int64

    /// Where every simulated boot-time clock stands at instant zero: a device is never freshly booted.
    static let bootBase: Int64 = 1_000_000_000_000

    /// 2026-01-01T08:00:00Z, in seconds since 1970.
    package static let defaultWallStart: Int64 = 1_767_254_400

    /// Begins a world at instant zero, with its wall clock at `wallStart` seconds since 1970.
    package init(
        seed: UInt64,
        mode: LabMode = .current,
        wallStart: Int64 = Simulation.defaultWallStart
    ) {
        self.seed = seed
        self.mode = mode
        core = .allocate(capacity: 1)
        core.initialize(to: KernelCore())
        wallStartNanoseconds = wallStart * 1_000_000_000
        state = .allocate(capacity: 1)
        state.initialize(to: onebar_world_state())
        state.pointee.wall_base_ns = wallStartNanoseconds
        state.pointee.boot_base_ns = Self.bootBase
        state.pointee.shims_on = mode == .captured ? 1 : 0
        let world = UnsafeMutablePointer<IncarnationCore>.allocate(capacity: 1)
        world.initialize(
            to: IncarnationCore(
                entropyKey: streamKey("entropy", entity: "world", purpose: ""),
                registration: foreignWakeUps.register(label: "the world")
            )
        )
        _ = core.pointee.add(world)
        state.pointee.entropy = entropyPointer(of: world)
        state.pointee.world = Unmanaged.passUnretained(self).toOpaque()
        state.pointee.on_sleep = { world, nanoseconds in
            guard let world else { return }
            Unmanaged<Simulation>.fromOpaque(world).takeUnretainedValue()
                .blockCurrentLane(nanoseconds: nanoseconds)
        }
        state.pointee.on_cancel = { world, ticket in
            guard let world else { return }
            Unmanaged<Simulation>.fromOpaque(world).takeUnretainedValue()
                .cancelWakeUp(EventHandle(ticket: ticket))
        }
        resetStop()
    }

    deinit {
        closeWorld()
    }

    // MARK: time

    /// The instant of the event that is being handled.
    @inlinable
    package var instant: SimulationInstant {
        SimulationInstant(nanoseconds: state.pointee.instant_ns)
    }

    /// Local time: the instant, plus the lag of the lane that runs now; every stamp uses it.
    package var now: SimulationInstant { SimulationInstant(nanoseconds: state.pointee.now_ns) }

    /// How far the wall clock has jumped away from its start plus simulated time.
    package var wallOffset: Duration {
        get { .nanoseconds(state.pointee.wall_base_ns - wallStartNanoseconds) }
        set { state.pointee.wall_base_ns = wallStartNanoseconds + newValue.wholeNanoseconds }
    }

    /// The wall clock, in nanoseconds since 1970.
    package var wallNanoseconds: Int64 { state.pointee.wall_base_ns + state.pointee.now_ns }

    /// For how long the suspending clock has stood still, because the device slept.
    package var suspendedTime: Duration {
        get { .nanoseconds(state.pointee.suspended_ns) }
        set { state.pointee.suspended_ns = newValue.wholeNanoseconds }
    }

    /// Times that code read an interposed clock, drew interposed entropy, or tried to block its thread.
    package var interposedCalls: (clockReads: UInt64, entropyDraws: UInt64, sleeps: UInt64) {
        (state.pointee.clock_reads, state.pointee.entropy_draws, state.pointee.real_sleeps)
    }

    // MARK: events

    /// Events that wait for their turn.
    package var pendingEvents: Int { core.pointee.queue.live + core.pointee.ready.count }

    /// Events handled since the world began.
    package var handledEvents: UInt64 { core.pointee.handled }

    /// Schedules `action`; traps if `time` is past.
    ///
    /// Called by a process's code, the event belongs to that process: it runs as it, and is dropped if
    /// it is killed first. Use `scheduleUnowned` or `handOver` for what must outlive it.
    @discardableResult
    package func schedule(at time: SimulationInstant, _ action: @escaping () -> Void) -> EventHandle
    {
        let owner = core.pointee.current
        guard canAct(owner) else {
            morgue.keep(value: ActionBox(run: action))
            return .none
        }
        return push(EventKind.action, at: time, owner: owner, action)
    }

    /// Schedules an event of the world, whoever asks; it survives every kill.
    @discardableResult
    package func scheduleUnowned(
        at time: SimulationInstant,
        _ action: @escaping () -> Void
    ) -> EventHandle {
        push(EventKind.action, at: time, owner: 0, action)
    }

    /// Hands something from the running process to the world at its local time.
    ///
    /// `action` runs as the world, unless the process is killed before that time: this is how a send or a
    /// disk operation is stamped by code that runs ahead. A zombie hands nothing over.
    @discardableResult
    package func handOver(_ action: @escaping () -> Void) -> EventHandle {
        let owner = core.pointee.current
        guard canAct(owner) else {
            morgue.keep(value: ActionBox(run: action))
            return .none
        }
        return push(EventKind.handOver, at: now, owner: owner, action)
    }

    /// Schedules an event of the world for `receiver`, without an allocation; it survives every kill.
    @discardableResult
    package func schedule(
        at time: SimulationInstant,
        for receiver: any EventReceiver,
        payload: UInt64
    ) -> EventHandle {
        checkFuture(time)
        let slot = core.pointee.queue.takeSlot()
        let pointer = core.pointee.queue.slots + slot
        pointer.pointee.describe(EventKind.receiver, owner: 0)
        pointer.pointee.payload = payload
        let words = unsafeBitCast(ReceiverBits(receiver: receiver), to: (UInt, UInt).self)
        if words.0 == core.pointee.heldReceiver {
            // The receiver whose event is being handled: its reference passes to the new event.
            core.pointee.heldReceiver = 0
            (pointer.pointee.first, pointer.pointee.second) = words
        } else {
            Self.receiver(of: pointer).initialize(to: ReceiverBox(receiver: receiver))
        }
        return file(slot, at: time.nanoseconds)
    }

    /// Takes an event back; does nothing if it has run or was dropped.
    package func cancel(_ handle: EventHandle) {
        // A slot that is not there belonged to a world that has retired.
        guard core.pointee.queue.slotRange.contains(handle.slot) else { return }
        let pointer = core.pointee.queue.slots + handle.slot
        guard pointer.pointee.sequence == handle.sequence else { return }
        switch pointer.pointee.kind {
        case EventKind.receiver:
            if pointer.pointee.first == core.pointee.runningReceiver,
                core.pointee.heldReceiver == 0
            {
                core.pointee.heldReceiver = core.pointee.runningReceiver
                discard(handle.slot)
            } else {
                let box = Self.receiver(of: pointer).move()
                discard(handle.slot)
                _ = consume box
            }
        case EventKind.action, EventKind.handOver:
            let owner = pointer.pointee.owner
            guard core.pointee.incarnations[Int(owner)].pointee.isAlive else { return }
            let box = Self.action(of: pointer).move()
            discard(handle.slot)
            withExtendedLifetime(box) {}
        default:
            return
        }
    }

    // MARK: randomness

    /// The stream of one purpose: a new stream moves no other.
    package func stream(_ domain: String, entity: String = "", purpose: String = "") -> RandomStream
    {
        RandomStream(key: streamKey(domain, entity: entity, purpose: purpose))
    }

    func streamKey(_ domain: String, entity: String, purpose: String) -> UInt64 {
        var key: UInt64 = seed ^ 0x6F6E_6562_6172_0001
        for part in [domain, entity, purpose] {
            for byte in part.utf8 { key = (key ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            key = RandomStream.splitMix(&key)
        }
        return key
    }
}
