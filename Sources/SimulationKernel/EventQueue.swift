import CVirtualTime

/// One entry of the heap: 16 bytes, ordered by (instant, sequence); four fill a cache line.
struct EventEntry {
    var at: Int64
    /// Sequence number in the upper 40 bits, slot in the lower 24.
    var key: UInt64

    @inline(__always) var slot: Int { Int(truncatingIfNeeded: key & 0xFF_FFFF) }
    @inline(__always) var sequence: UInt64 { key >> 24 }

    /// One if `left` comes first, else zero; without a branch, which would be mispredicted half the time.
    @inline(__always)
    static func comesFirst(_ left: EventEntry, _ right: EventEntry) -> Int {
        let isEarlier = left.at < right.at ? 1 : 0
        let isTied = left.at == right.at ? 1 : 0
        let isOlder = left.key < right.key ? 1 : 0
        return isEarlier | (isTied & isOlder)
    }

    @inline(__always)
    static func < (left: EventEntry, right: EventEntry) -> Bool {
        comesFirst(left, right) != 0
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
    /// In fingerprints only.
    static let note: UInt32 = 8

    /// Kind, lane and owner as a fingerprint mixes them.
    @inline(__always)
    static func tag(_ kind: UInt32, lane: UInt8 = 0, owner: UInt32) -> UInt32 {
        kind << 28 | UInt32(lane) << 26 | owner
    }
}

/// What an entry refers to: 32 bytes, reused through a free list.
///
/// It remembers the sequence number that it was armed with, which tells a live entry from a stale one.
struct EventSlot {
    /// Sequence in the upper 40 bits, then kind (3), lane (2) and owner (19).
    var head: UInt64
    var payload: UInt64
    var first: UInt
    var second: UInt

    @inline(__always) var sequence: UInt64 { head >> 24 }
    @inline(__always) var kind: UInt32 { UInt32(truncatingIfNeeded: head >> 21 & 7) }
    @inline(__always) var lane: UInt8 { UInt8(truncatingIfNeeded: head >> 19 & 3) }
    @inline(__always) var owner: UInt32 { UInt32(truncatingIfNeeded: head & Self.ownerMask) }

    static let ownerMask: UInt64 = (1 << 19) - 1

    @inline(__always)
    mutating func describe(_ kind: UInt32, lane: UInt8 = 0, owner: UInt32) {
        head = UInt64(kind) << 21 | UInt64(lane) << 19 | UInt64(owner)
    }

    @inline(__always)
    mutating func arm(_ sequence: UInt64) {
        head = head & 0xFF_FFFF | sequence << 24
    }
}

/// A receiver as two words, so that a slot needs no type of its own; moved, never copied.
struct ReceiverBox: ~Copyable {
    let receiver: any EventReceiver
}

/// A receiver whose bits are looked at; an existential itself would be opened by the cast.
struct ReceiverBits {
    let receiver: any EventReceiver
}

/// A closure as two words.
struct ActionBox {
    let run: () -> Void
}

/// The pending events: an implicit 4-ary heap of entries over a table of slots.
///
/// Cost: one cache line of slot and log4 n cache lines of heap for each event. A handler that schedules one
/// new event, the common case, fills the hole that its own event left at the root: one sift, not two.
/// Cancelling frees the slot; the stale entry is dropped when it surfaces.
struct EventQueue {
    /// Element k lies at a multiple of 64 bytes plus 16 (k + 3), so that four siblings share a line.
    private(set) var entries: UnsafeMutablePointer<EventEntry>
    /// Entries in the heap, the hole included.
    private(set) var count = 0
    private var capacity: Int
    /// The root has been taken and nothing has filled it yet.
    private var hasHole = false

    private(set) var slots: UnsafeMutablePointer<EventSlot>
    private var slotCapacity: Int
    private var usedSlots = 1
    private var freeSlot = 0
    /// Events that are scheduled and not cancelled.
    var live = 0

    /// More pending events than a slot number can tell apart.
    private static let slotLimit = 1 << 24

    /// An empty queue; a small one is for the end of a world, which nothing is scheduled in any more.
    init(capacity: Int = 253, slotCapacity: Int = 128) {
        self.capacity = capacity
        self.slotCapacity = slotCapacity
        entries = Self.allocateEntries(capacity)
        slots = Self.allocateSlots(slotCapacity)
        slots.initialize(to: EventSlot(head: 0, payload: 0, first: 0, second: 0))
    }

    func deallocate() {
        (entries - 3).deallocate()
        slots.deallocate()
    }

    private static func allocateEntries(_ capacity: Int) -> UnsafeMutablePointer<EventEntry> {
        allocate(capacity + 3, of: EventEntry.self) + 3
    }

    private static func allocateSlots(_ capacity: Int) -> UnsafeMutablePointer<EventSlot> {
        allocate(capacity, of: EventSlot.self)
    }

    private static func allocate<Item>(
        _ capacity: Int,
        of type: Item.Type
    ) -> UnsafeMutablePointer<Item> {
        let bytes = capacity * MemoryLayout<Item>.stride
        let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        if bytes > 4 << 20 { onebar_advise_huge(raw, bytes) }
        return raw.bindMemory(to: Item.self, capacity: capacity)
    }

    /// Every slot that has ever been used, for the end of a world.
    var slotRange: Range<Int> { 1..<usedSlots }

    // MARK: slots

    @inline(__always)
    mutating func takeSlot() -> Int {
        let slot = freeSlot
        if slot != 0 {
            freeSlot = Int(truncatingIfNeeded: slots[slot].payload)
            return slot
        }
        return freshSlot()
    }

    @inline(never)
    private mutating func freshSlot() -> Int {
        if usedSlots == slotCapacity {
            precondition(usedSlots < Self.slotLimit, "more than \(Self.slotLimit) pending events")
            let grown = Self.allocateSlots(slotCapacity * 2)
            grown.moveInitialize(from: slots, count: slotCapacity)
            slots.deallocate()
            slots = grown
            slotCapacity *= 2
        }
        let slot = usedSlots
        usedSlots += 1
        (slots + slot).initialize(to: EventSlot(head: 0, payload: 0, first: 0, second: 0))
        return slot
    }

    /// Gives a slot back; what it held must have been taken or released.
    @inline(__always)
    mutating func releaseSlot(_ slot: Int) {
        let pointer = slots + slot
        pointer.pointee.head = 0
        pointer.pointee.payload = UInt64(truncatingIfNeeded: freeSlot)
        freeSlot = slot
    }

    // MARK: heap

    /// Enters a described slot; the sequence number must be new and greater than all before.
    @inline(__always)
    mutating func push(at: Int64, sequence: UInt64, slot: Int) {
        slots[slot].arm(sequence)
        let entry = EventEntry(
            at: at,
            key: sequence << 24 | UInt64(truncatingIfNeeded: slot)
        )
        live &+= 1
        if hasHole {
            hasHole = false
            siftDown(entry)
            return
        }
        if count == capacity { growEntries() }
        var index = count
        count &+= 1
        while index > 0 {
            let parent = (index &- 1) >> 2
            guard entry < entries[parent] else { break }
            entries[index] = entries[parent]
            index = parent
        }
        entries[index] = entry
    }

    @inline(never)
    private mutating func growEntries() {
        let grown = Self.allocateEntries(capacity * 2)
        grown.moveInitialize(from: entries, count: count)
        (entries - 3).deallocate()
        entries = grown
        capacity *= 2
    }

    /// The earliest entry, stale or not; nil if there is none.
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
            index &+= 1
        }
        return false
    }

    /// Brings the tasks that are likely to wake up next closer, while this one runs; a hint, no more.
    ///
    /// The least of the root's children is next; its task was asked for while it was one of the four, so
    /// the word that leads to its frame is there by now.
    @inline(__always)
    func prefetchNextTasks() {
        guard hasHole, count > 4 else { return }
        let left = EventEntry.comesFirst(entries[2], entries[1]) &+ 1
        let right = EventEntry.comesFirst(entries[4], entries[3]) &+ 3
        let next = EventEntry.comesFirst(entries[right], entries[left]) != 0 ? right : left
        for child in 1...4 {
            let slot = slots + entries[child].slot
            guard slot.pointee.kind == EventKind.wakeUp,
                let task = UnsafeRawPointer(bitPattern: UInt(slot.pointee.payload))
            else { continue }
            onebar_prefetch(task)
            onebar_prefetch(task + 64)
            onebar_prefetch(task + 128)
            guard child == next else { continue }
            // Word 8 of a task is its frame in Swift 6.3; elsewhere this asks for a line that is not needed.
            let frame = task.load(fromByteOffset: 64, as: UInt.self)
            guard let frame = UnsafeRawPointer(bitPattern: frame) else { continue }
            for line in 0..<4 { onebar_prefetch(frame + line * 64) }
        }
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
        while child &+ 3 < count {
            let group = entries + child
            let left = EventEntry.comesFirst(group[1], group[0])
            let right = EventEntry.comesFirst(group[3], group[2]) &+ 2
            let takesRight = EventEntry.comesFirst(group[right], group[left])
            let least = child &+ left &+ ((right &- left) & (0 &- takesRight))
            guard entries[least] < entry else {
                entries[index] = entry
                return
            }
            // The new root is the next event: its slot arrives while the old one sinks.
            if index == 0 { onebar_prefetch(slots + entries[least].slot) }
            entries[index] = entries[least]
            index = least
            child = index << 2 &+ 1
        }
        if child < count {
            var least = child
            var other = child &+ 1
            while other < count {
                if entries[other] < entries[least] { least = other }
                other &+= 1
            }
            if entries[least] < entry {
                entries[index] = entries[least]
                index = least
            }
        }
        entries[index] = entry
    }
}

extension EventQueue {
    /// When each pending event of a kind and owner that `isWanted` picks is due; in no order.
    ///
    /// Cost: a walk over the whole queue, for the end of a run.
    func dueTimes(where isWanted: (EventSlot) -> Bool) -> [Int64] {
        (0..<count).compactMap { index in
            let entry = entries[index]
            let slot = slots[entry.slot]
            return slot.sequence == entry.sequence && isWanted(slot) ? entry.at : nil
        }
    }
}
