import CVirtualTime
import Quantities

extension Simulation {
    /// Sets a slot aside for a sleeper, so that its cancellation handler can name it beforehand.
    @inline(__always)
    func reserveWakeUp(owner: UInt32) -> EventHandle {
        let slot = core.pointee.queue.takeSlot()
        let pointer = core.pointee.queue.slots + slot
        pointer.pointee.describe(EventKind.reserved, owner: owner)
        pointer.pointee.payload = 0
        pointer.pointee.first = 0
        core.pointee.sequence &+= 1
        let ticket = core.pointee.sequence
        pointer.pointee.second = UInt(truncatingIfNeeded: ticket)
        return EventHandle(slot: slot, sequence: ticket)
    }

    /// Puts a sleeper to sleep until `deadline`.
    @inline(__always)
    func arm(
        _ handle: EventHandle,
        _ continuation: UnsafeContinuation<Void, any Error>,
        until deadline: Int64
    ) {
        let pointer = core.pointee.queue.slots + handle.slot
        let isCancelled = pointer.pointee.payload != 0
        pointer.pointee.describe(EventKind.wakeUp, owner: pointer.pointee.owner)
        pointer.pointee.payload = UInt64(unsafeBitCast(continuation, to: UInt.self))
        pointer.pointee.first = isCancelled ? 1 : 0
        let now = state.pointee.now_ns
        _ = file(handle.slot, at: isCancelled ? now : max(deadline, now))
    }

    /// Wakes a sleeper with `CancellationError`, at the local time of whoever cancels it.
    func cancelWakeUp(_ handle: EventHandle) {
        guard core.pointee.queue.slotRange.contains(handle.slot) else { return }
        let pointer = core.pointee.queue.slots + handle.slot
        let kind = pointer.pointee.kind
        guard kind == EventKind.wakeUp || kind == EventKind.reserved,
            pointer.pointee.second == UInt(truncatingIfNeeded: handle.sequence)
        else { return }
        let owner = pointer.pointee.owner
        guard core.pointee.incarnations[Int(owner)].pointee.isAlive else { return }
        guard kind == EventKind.wakeUp else {
            pointer.pointee.payload = 1
            return
        }
        let payload = pointer.pointee.payload
        discard(handle.slot)
        let slot = core.pointee.queue.takeSlot()
        let fresh = core.pointee.queue.slots + slot
        fresh.pointee = EventSlot(head: 0, payload: payload, first: 1, second: 0)
        fresh.pointee.describe(EventKind.wakeUp, owner: owner)
        _ = file(slot, at: state.pointee.now_ns)
    }
}
