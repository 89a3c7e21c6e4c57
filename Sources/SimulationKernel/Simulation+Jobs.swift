import CVirtualTime
import Quantities

extension Simulation {
    /// The generic executor, as the runtime's own pool passes it: a task that hops to an idle actor then
    /// goes on inline, so a wake-up costs one job.
    static let genericExecutor = unsafeBitCast(
        (UInt(0), UInt(0)),
        to: UnownedSerialExecutor.self
    )

    @inline(__always)
    static func job(_ payload: UInt64) -> UnownedJob {
        unsafeBitCast(UInt(payload), to: UnownedJob.self)
    }

    @inline(__always)
    static func payload(_ job: UnownedJob) -> UInt64 {
        UInt64(unsafeBitCast(job, to: UInt.self))
    }

    /// Takes a job of the process that runs now; it runs at its local time.
    @inline(__always)
    func enqueue(_ job: UnownedJob, lane: ExecutionLane) {
        enqueue(job, lane: lane, owner: core.pointee.current)
    }

    @inline(__always)
    func enqueue(_ job: UnownedJob, lane: ExecutionLane, owner: UInt32) {
        registerTask(job, owner: owner)
        let lane = owner == 0 ? LaneCore.none : lane.rawValue
        if state.pointee.now_ns == state.pointee.instant_ns {
            core.pointee.sequence &+= 1
            core.pointee.ready.append(
                ReadyJob(
                    job: job,
                    sequence: core.pointee.sequence,
                    owner: owner,
                    lane: lane
                )
            )
        } else {
            enqueue(job, rawLane: lane, owner: owner, at: state.pointee.now_ns)
        }
    }

    /// Takes a job of the process that runs now, to run at `deadline` or later.
    func enqueue(_ job: UnownedJob, lane: ExecutionLane, at deadline: Int64) {
        let owner = core.pointee.current
        registerTask(job, owner: owner)
        let lane = owner == 0 ? LaneCore.none : lane.rawValue
        enqueue(job, rawLane: lane, owner: owner, at: max(deadline, state.pointee.now_ns))
    }

    private func enqueue(_ job: UnownedJob, rawLane lane: UInt8, owner: UInt32, at time: Int64) {
        guard canAct(owner) else {
            noteDropped(job, owner: owner)
            morgue.keepUntouched()
            return
        }
        let slot = core.pointee.queue.takeSlot()
        let pointer = core.pointee.queue.slots + slot
        pointer.pointee.describe(EventKind.job, lane: lane, owner: owner)
        pointer.pointee.payload = Self.payload(job)
        _ = file(slot, at: time)
    }

    @inline(__always)
    private func registerTask(_ job: UnownedJob, owner: UInt32) {
        #if os(Linux)
        let registration = core.pointee.incarnations[Int(owner)].pointee.registration
        onebar_task_owner_store(jobTaskIdentifier(job), registration)
        #endif
    }

    // MARK: running

    /// Runs a job as its owner, or lets it wait for its lane, or drops it with its owner.
    @inline(__always)
    func run(_ ready: ReadyJob) {
        let incarnation = core.pointee.incarnations[Int(ready.owner)]
        guard incarnation.pointee.canAct(on: ready.lane) else {
            noteDropped(ready.job, owner: ready.owner)
            morgue.keepUntouched()
            return
        }
        guard !incarnation.pointee.isSuspended else {
            hold(.job(ready), of: ready.owner)
            return
        }
        let lane = incarnation.pointee.lanes + Int(ready.lane)
        if lane.pointee.freeAt > state.pointee.instant_ns || lane.pointee.parkedCount > 0 {
            park(ready, in: lane)
            return
        }
        runNow(ready, incarnation)
    }

    @inline(__always)
    private func runNow(_ ready: ReadyJob, _ incarnation: UnsafeMutablePointer<IncarnationCore>) {
        let tag = EventKind.tag(EventKind.job, lane: ready.lane, owner: ready.owner)
        core.pointee.handled &+= 1
        core.pointee.lastOwner = ready.owner
        core.pointee.fingerprint.mix(at: state.pointee.instant_ns, tag: tag, payload: 0)
        core.pointee.current = ready.owner
        core.pointee.lane = ready.lane
        state.pointee.entropy = entropyPointer(of: incarnation)
        execute(ready)
        if incarnation.pointee.isDying { settleDeath(of: ready.owner) }
        core.pointee.current = 0
        core.pointee.lane = LaneCore.none
        state.pointee.now_ns = state.pointee.instant_ns
        state.pointee.entropy = entropyPointer(of: core.pointee.incarnations[0])
    }

    @inline(__always)
    private func execute(_ ready: ReadyJob) {
        guard mode == .captured else {
            executePortably(ready)
            return
        }
        if ready.lane == ExecutionLane.main.rawValue {
            executeOnMain(ready.job)
        } else {
            ready.job.runSynchronously(on: Self.genericExecutor)
        }
    }

    @inline(never)
    private func executePortably(_ ready: ReadyJob) {
        let executor = portableExecutor(of: ready.owner)
        ready.job.runSynchronously(on: executor.asUnownedTaskExecutor())
    }

    // MARK: lanes

    @inline(never)
    private func park(_ ready: ReadyJob, in lane: UnsafeMutablePointer<LaneCore>) {
        lane.pointee.parked.append(ready)
        scheduleLane(lane, owner: ready.owner, lane: ready.lane)
    }

    private func scheduleLane(
        _ core: UnsafeMutablePointer<LaneCore>,
        owner: UInt32,
        lane: UInt8
    ) {
        guard !core.pointee.hasWakeUp else { return }
        core.pointee.hasWakeUp = true
        let slot = self.core.pointee.queue.takeSlot()
        let pointer = self.core.pointee.queue.slots + slot
        pointer.pointee.describe(EventKind.lane, lane: lane, owner: owner)
        pointer.pointee.payload = 0
        _ = file(slot, at: max(core.pointee.freeAt, state.pointee.instant_ns))
    }

    /// Runs what waited for a lane, in order, until one of the jobs blocks the lane again.
    func unpark(owner: UInt32, lane index: UInt8) {
        let incarnation = core.pointee.incarnations[Int(owner)]
        let lane = incarnation.pointee.lanes + Int(index)
        lane.pointee.hasWakeUp = false
        while lane.pointee.parkedCount > 0, incarnation.pointee.canAct(on: index) {
            guard lane.pointee.freeAt <= state.pointee.instant_ns else {
                scheduleLane(lane, owner: owner, lane: index)
                return
            }
            let ready = lane.pointee.parked[lane.pointee.parkedHead]
            lane.pointee.parkedHead += 1
            if lane.pointee.parkedCount == 0 {
                lane.pointee.parked.removeAll(keepingCapacity: true)
                lane.pointee.parkedHead = 0
            }
            runNow(ready, incarnation)
        }
        dropParked(in: lane, owner: owner)
    }

    func dropParked(in lane: UnsafeMutablePointer<LaneCore>, owner: UInt32) {
        while lane.pointee.parkedCount > 0 {
            noteDropped(lane.pointee.parked[lane.pointee.parkedHead].job, owner: owner)
            morgue.keepUntouched()
            lane.pointee.parkedHead += 1
        }
        lane.pointee.parked = []
        lane.pointee.parkedHead = 0
    }

    // MARK: waking

    /// Resumes a sleeper whose time has come, as its owner.
    @inline(__always)
    func wake(_ payload: UInt64, isCancelled: Bool, owner: UInt32) {
        let continuation = unsafeBitCast(
            UInt(payload),
            to: UnsafeContinuation<Void, any Error>.self
        )
        let context = enter(owner, lane: LaneCore.none)
        if isCancelled {
            continuation.resume(throwing: CancellationError())
        } else {
            continuation.resume(returning: ())
        }
        leave(to: context)
    }
}
