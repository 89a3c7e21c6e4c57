import CVirtualTime
import Quantities

extension Simulation {
    @inline(__always)
    static func receiver(
        of slot: UnsafeMutablePointer<EventSlot>
    ) -> UnsafeMutablePointer<ReceiverBox> {
        (UnsafeMutableRawPointer(slot) + 16).assumingMemoryBound(to: ReceiverBox.self)
    }

    @inline(__always)
    static func action(
        of slot: UnsafeMutablePointer<EventSlot>
    ) -> UnsafeMutablePointer<ActionBox> {
        (UnsafeMutableRawPointer(slot) + 16).assumingMemoryBound(to: ActionBox.self)
    }

    @inline(__always)
    func checkFuture(_ time: SimulationInstant) {
        precondition(
            time.nanoseconds >= state.pointee.instant_ns,
            "\(time) is past at \(instant)"
        )
    }

    /// Enters a filled slot into the heap.
    @inline(__always)
    func file(_ slot: Int, at nanoseconds: Int64) -> EventHandle {
        let sequence = core.pointee.sequence &+ 1
        core.pointee.sequence = sequence
        core.pointee.queue.push(at: nanoseconds, sequence: sequence, slot: slot)
        return EventHandle(slot: slot, sequence: sequence)
    }

    func push(
        _ kind: UInt32,
        at time: SimulationInstant,
        owner: UInt32,
        _ action: @escaping () -> Void
    ) -> EventHandle {
        checkFuture(time)
        let slot = core.pointee.queue.takeSlot()
        let pointer = core.pointee.queue.slots + slot
        pointer.pointee.describe(kind, owner: owner)
        pointer.pointee.payload = 0
        Self.action(of: pointer).initialize(to: ActionBox(run: action))
        return file(slot, at: time.nanoseconds)
    }

    /// Gives back the slot of an event that will not run.
    func discard(_ slot: Int) {
        core.pointee.queue.releaseSlot(slot)
        core.pointee.queue.live -= 1
    }

    /// Whether the code of `owner` that runs now may still do anything.
    @inline(__always)
    func canAct(_ owner: UInt32) -> Bool {
        owner == 0
            || core.pointee.incarnations[Int(owner)].pointee.canAct(on: core.pointee.lane)
    }

    // MARK: contexts

    /// Who runs, where, and at what local time.
    struct Context {
        let owner: UInt32
        let lane: UInt8
        let now: Int64
    }

    @inline(__always)
    func entropyPointer(
        of core: UnsafeMutablePointer<IncarnationCore>
    ) -> UnsafeMutablePointer<onebar_entropy> {
        UnsafeMutableRawPointer(core).assumingMemoryBound(to: onebar_entropy.self)
    }

    /// Makes `owner` the one who runs; give the result to `leave`.
    @inline(__always)
    func enter(_ owner: UInt32, lane: UInt8) -> Context {
        let context = Context(
            owner: core.pointee.current,
            lane: core.pointee.lane,
            now: state.pointee.now_ns
        )
        core.pointee.current = owner
        core.pointee.lane = lane
        state.pointee.entropy = entropyPointer(of: core.pointee.incarnations[Int(owner)])
        return context
    }

    @inline(__always)
    func leave(to context: Context) {
        core.pointee.current = context.owner
        core.pointee.lane = context.lane
        state.pointee.now_ns = context.now
        state.pointee.entropy = entropyPointer(of: core.pointee.incarnations[Int(context.owner)])
    }

    /// Runs `body` as the world: what it schedules belongs to no process.
    package func asWorld<Result>(_ body: () throws -> Result) rethrows -> Result {
        let context = enter(0, lane: LaneCore.none)
        defer { leave(to: context) }
        return try body()
    }

    /// Binds the calling thread to this world while `body` runs: clocks, entropy and tasks are simulated.
    ///
    /// Running events does this by itself; it is needed for what happens between runs.
    package func host<Result>(_ body: () throws -> Result) rethrows -> Result {
        let previous = onebar_hosted_state()
        onebar_host_state(state)
        defer { onebar_host_state(previous) }
        return try body()
    }

    /// Whether the calling thread is the one that hosts this world.
    @inline(__always)
    var isHostedHere: Bool { onebar_hosted_state() == state }

    /// The incarnation whose code runs now; nil if it is the world's.
    package var currentIncarnation: Incarnation? { incarnations[Int(core.pointee.current)] }

    /// The lane whose code runs now.
    package var currentLane: ExecutionLane? { ExecutionLane(rawValue: core.pointee.lane) }

    func blockCurrentLane(nanoseconds: Int64) {
        currentIncarnation?.block(for: .nanoseconds(nanoseconds))
    }

    // MARK: fingerprint

    /// Mixes a fact of a model into the fingerprint: a disk operation, a packet.
    package func note(_ tag: UInt64, _ first: UInt64 = 0, _ second: UInt64 = 0) {
        var payload = (tag ^ first &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        payload = (payload ^ payload >> 32 ^ second) &* 0x94D0_49BB_1331_11EB
        core.pointee.fingerprint.mix(
            at: state.pointee.now_ns,
            tag: EventKind.tag(
                EventKind.note,
                lane: core.pointee.lane,
                owner: core.pointee.current
            ),
            payload: payload ^ payload >> 29
        )
    }

    /// Mixes a fact of a model into the fingerprint under a name.
    package func note(_ name: String, _ first: UInt64 = 0, _ second: UInt64 = 0) {
        note(Fingerprint.tag(name), first, second)
    }

    /// What happened so far, as one number with checkpoints.
    package var fingerprint: Fingerprint {
        let state = core.pointee.fingerprint
        return Fingerprint(
            value: state.value,
            events: state.events,
            checkpoints: state.checkpoints
        )
    }

    /// Keeps every event of this window of event numbers, to be read from `recordedEvents`.
    package func record(events window: Range<UInt64>) {
        core.pointee.fingerprint.world = UnsafePointer(state)
        core.pointee.fingerprint.record(window)
    }

    /// The events of the recorded window.
    package var recordedEvents: [EventRecord] {
        let names = [
            "free", "receiver", "action", "hand-over", "job", "wake-up", "lane", "", "note",
        ]
        let records = core.pointee.fingerprint.records
        return records.indices.map { index in
            let raw = records[index]
            let next = index + 1 < records.count ? records[index + 1] : nil
            let owner = incarnations[Int(raw.tag & ((1 << 26) - 1))]?.label ?? "world"
            return EventRecord(
                number: raw.number,
                instant: SimulationInstant(nanoseconds: raw.at),
                kind: names[Int(raw.tag >> 28)],
                owner: owner,
                lane: ExecutionLane(rawValue: UInt8(raw.tag >> 26 & 3)),
                payload: raw.payload,
                clockReads: (next?.clockReads ?? state.pointee.clock_reads) - raw.clockReads,
                entropyDraws: (next?.entropyDraws ?? state.pointee.entropy_draws)
                    - raw.entropyDraws
            )
        }
    }
}
