import CVirtualTime
import Quantities

extension Simulation {
    /// Sets a slot aside for a sleeper, so that its cancellation handler can name it beforehand.
    @inline(__always)
    func reserveWakeUp(owner: UInt32) -> EventHandle {
        let slot = core.pointee.queue.takeSlot()
        let pointer = core.pointee.queue.slots + Int(slot)
        pointer.pointee.tag = EventSlot.tag(EventKind.reserved, owner: owner)
        pointer.pointee.payload = 0
        pointer.pointee.first = 0
        return EventHandle(slot: slot, generation: pointer.pointee.generation)
    }

    /// Puts a sleeper to sleep until `deadline`.
    @inline(__always)
    func arm(
        _ handle: EventHandle,
        _ continuation: UnsafeContinuation<Void, any Error>,
        until deadline: Int64
    ) {
        let pointer = core.pointee.queue.slots + Int(handle.slot)
        let isCancelled = pointer.pointee.payload != 0
        pointer.pointee.tag = EventSlot.tag(EventKind.wakeUp, owner: pointer.pointee.owner)
        pointer.pointee.payload = UInt64(unsafeBitCast(continuation, to: UInt.self))
        pointer.pointee.first = isCancelled ? 1 : 0
        let now = state.pointee.now_ns
        _ = file(handle.slot, at: isCancelled ? now : max(deadline, now))
    }

    /// Wakes a sleeper with `CancellationError`, at the local time of whoever cancels it.
    func cancelWakeUp(_ handle: EventHandle) {
        let pointer = core.pointee.queue.slots + Int(handle.slot)
        guard handle.slot != 0, pointer.pointee.generation == handle.generation else { return }
        let owner = pointer.pointee.owner
        guard core.pointee.incarnations[Int(owner)].pointee.isAlive else { return }
        guard pointer.pointee.kind == EventKind.wakeUp else {
            pointer.pointee.payload = 1
            return
        }
        let payload = pointer.pointee.payload
        discard(handle.slot)
        let slot = core.pointee.queue.takeSlot()
        let fresh = core.pointee.queue.slots + Int(slot)
        fresh.pointee.tag = EventSlot.tag(EventKind.wakeUp, owner: owner)
        fresh.pointee.payload = payload
        fresh.pointee.first = 1
        _ = file(slot, at: state.pointee.now_ns)
    }
}
