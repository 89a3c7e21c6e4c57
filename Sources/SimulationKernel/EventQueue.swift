/// One entry of the heap: 24 bytes, ordered by (instant, sequence).
struct EventEntry {
    var at: Int64
    var sequence: UInt64
    var slot: UInt32
    var generation: UInt32

    @inline(__always)
    static func < (left: EventEntry, right: EventEntry) -> Bool {
        left.at != right.at ? left.at < right.at : left.sequence < right.sequence
    }
}

/// What an event does when its turn comes.
enum EventKind {
    static let free: UInt32 = 0
    static let receiver: UInt32 = 1
    static let action: UInt32 = 2
    static let handOver: UInt32 = 3
    static let job: UInt32 = 4
    static let wakeUp: UInt32 = 5
    static let lane: UInt32 = 6
    static let reserved: UInt32 = 7
    static let note: UInt32 = 8
}

/// What an entry refers to: 32 bytes, reused through a free list; the generation tells users apart.
struct EventSlot {
    var generation: UInt32
    /// Kind in bits 28..., lane in bits 26 and 27, owner below.
    var tag: UInt32
    var payload: UInt64
    var first: UInt
    var second: UInt

    @inline(__always) var kind: UInt32 { tag >> 28 }
    @inline(__always) var lane: UInt8 { UInt8(truncatingIfNeeded: tag >> 26 & 3) }
    @inline(__always) var owner: UInt32 { tag & Self.ownerMask }

    static let ownerMask: UInt32 = (1 << 26) - 1

    @inline(__always)
    static func tag(_ kind: UInt32, lane: UInt8 = 0, owner: UInt32) -> UInt32 {
        kind << 28 | UInt32(lane) << 26 | owner
    }
}

/// A receiver as two words, so that a slot needs no type of its own.
struct ReceiverBox {
    let receiver: any EventReceiver
}

/// A closure as two words.
struct ActionBox {
    let run: () -> Void
}

/// The pending events: an implicit 4-ary heap of entries over a table of slots.
///
/// Cost: one cache line of slot and log4 n levels of heap for each event. A handler that schedules one
/// new event, the common case, fills the hole that its own event left at the root: one sift, not two.
/// Cancelling marks the slot; the entry is dropped when it surfaces.
struct EventQueue {
    var entries: UnsafeMutablePointer<EventEntry>
    /// Entries in the heap, the hole included.
    var count = 0
    private var capacity = 1_024
    /// The root has been taken and nothing has filled it yet.
    private var hasHole = false

    var slots: UnsafeMutablePointer<EventSlot>
    private var slotCapacity = 1_024
    private var usedSlots: UInt32 = 1
    private var freeSlot: UInt32 = 0
    /// Events that are scheduled and not cancelled.
    var live = 0

    init() {
        entries = .allocate(capacity: capacity)
        slots = .allocate(capacity: slotCapacity)
        slots[0] = EventSlot(generation: 0, tag: 0, payload: 0, first: 0, second: 0)
    }

    func deallocate() {
        entries.deallocate()
        slots.deallocate()
    }

    /// Every slot that has ever been used, for the end of a world.
    var slotRange: Range<Int> { 1..<Int(usedSlots) }

    // MARK: slots

    @inline(__always)
    mutating func takeSlot() -> UInt32 {
        let slot = freeSlot
        if slot != 0 {
            freeSlot = UInt32(truncatingIfNeeded: slots[Int(slot)].payload)
            return slot
        }
        return freshSlot()
    }

    @inline(never)
    private mutating func freshSlot() -> UInt32 {
        if Int(usedSlots) == slotCapacity {
            let grown = UnsafeMutablePointer<EventSlot>.allocate(capacity: slotCapacity * 2)
            grown.moveInitialize(from: slots, count: slotCapacity)
            slots.deallocate()
            slots = grown
            slotCapacity *= 2
        }
        let slot = usedSlots
        usedSlots += 1
        slots[Int(slot)] = EventSlot(generation: 1, tag: 0, payload: 0, first: 0, second: 0)
        return slot
    }

    /// Gives a slot back; what it held must have been taken or released.
    @inline(__always)
    mutating func releaseSlot(_ slot: UInt32) {
        let pointer = slots + Int(slot)
        let next = pointer.pointee.generation &+ 1
        pointer.pointee.generation = next == 0 ? 1 : next
        pointer.pointee.tag = 0
        pointer.pointee.payload = UInt64(freeSlot)
        freeSlot = slot
    }

    // MARK: heap

    @inline(__always)
    mutating func push(at: Int64, sequence: UInt64, slot: UInt32) {
        let entry = EventEntry(
            at: at,
            sequence: sequence,
            slot: slot,
            generation: slots[Int(slot)].generation
        )
        live += 1
        if hasHole {
            hasHole = false
            siftDown(entry)
            return
        }
        if count == capacity { growEntries() }
        var index = count
        count += 1
        while index > 0 {
            let parent = (index - 1) >> 2
            guard entry < entries[parent] else { break }
            entries[index] = entries[parent]
            index = parent
        }
        entries[index] = entry
    }

    @inline(never)
    private mutating func growEntries() {
        let grown = UnsafeMutablePointer<EventEntry>.allocate(capacity: capacity * 2)
        grown.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = grown
        capacity *= 2
    }

    /// The earliest entry, cancelled or not; nil if there is none.
    @inline(__always)
    mutating func top() -> UnsafeMutablePointer<EventEntry>? {
        if hasHole { fillHole() }
        return count > 0 ? entries : nil
    }

    /// Whether an entry of instant `at` or before is older than `sequence`; does not fill the hole.
    @inline(__always)
    func hasEntry(at: Int64, before sequence: UInt64) -> Bool {
        guard hasHole else {
            return count > 0 && entries[0].at <= at && entries[0].sequence < sequence
        }
        var index = 1
        while index < min(count, 5) {
            if entries[index].at <= at, entries[index].sequence < sequence { return true }
            index += 1
        }
        return false
    }

    /// Takes the entry that `top()` has just shown.
    @inline(__always)
    mutating func removeTop() {
        hasHole = true
    }

    @inline(never)
    private mutating func fillHole() {
        hasHole = false
        count -= 1
        if count > 0 { siftDown(entries[count]) }
    }

    /// Places `entry` at the root and lets it sink.
    @inline(__always)
    private func siftDown(_ entry: EventEntry) {
        let entries = entries
        let count = count
        var index = 0
        var child = 1
        while child + 3 < count {
            var least = child
            if entries[child + 1] < entries[least] { least = child + 1 }
            if entries[child + 2] < entries[least] { least = child + 2 }
            if entries[child + 3] < entries[least] { least = child + 3 }
            guard entries[least] < entry else {
                entries[index] = entry
                return
            }
            entries[index] = entries[least]
            index = least
            child = index << 2 + 1
        }
        if child < count {
            var least = child
            var other = child + 1
            while other < count {
                if entries[other] < entries[least] { least = other }
                other += 1
            }
            if entries[least] < entry {
                entries[index] = entries[least]
                index = least
            }
        }
        entries[index] = entry
    }
}
