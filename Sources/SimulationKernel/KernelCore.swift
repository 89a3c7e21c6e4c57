import CVirtualTime

/// The hot state of a world, behind one pointer so that no access pays for exclusivity checks.
struct KernelCore {
    var sequence: UInt64 = 0
    /// Events handled since the world began.
    var handled: UInt64 = 0
    /// The count at which the loop looks at its budgets.
    var stopAt: UInt64 = .max
    var totalLimit: UInt64 = .max
    var sameInstantLimit: UInt64 = .max
    /// Whose event was the last, for reports.
    var lastOwner: UInt32 = 0
    var isStopped = false
    /// Takes over a box whose reference an event owns now, so that it is not released.
    let passedOn = UnsafeMutablePointer<ReceiverBox>.allocate(capacity: 1)
    /// The receiver whose event is being handled, and the same while the loop still owns a reference to it.
    var runningReceiver: UInt = 0
    var heldReceiver: UInt = 0
    /// The incarnation that runs now; 0 is the world itself.
    var current: UInt32 = 0
    /// The lane that runs now, or `LaneCore.none`.
    var lane: UInt8 = LaneCore.none
    var queue = EventQueue()
    var ready = ReadyQueue()
    var fingerprint = FingerprintState()
    var incarnations: UnsafeMutablePointer<UnsafeMutablePointer<IncarnationCore>>
    var incarnationCount = 0
    var incarnationCapacity = 16

    init() {
        incarnations = .allocate(capacity: incarnationCapacity)
    }

    @inline(__always)
    mutating func resetStop() {
        let (stop, overflow) = handled.addingReportingOverflow(sameInstantLimit)
        stopAt = overflow ? totalLimit : min(totalLimit, stop)
    }

    mutating func add(_ core: UnsafeMutablePointer<IncarnationCore>) -> UInt32 {
        if incarnationCount == incarnationCapacity {
            let grown = UnsafeMutablePointer<UnsafeMutablePointer<IncarnationCore>>.allocate(
                capacity: incarnationCapacity * 2
            )
            grown.moveInitialize(from: incarnations, count: incarnationCount)
            incarnations.deallocate()
            incarnations = grown
            incarnationCapacity *= 2
        }
        (incarnations + incarnationCount).initialize(to: core)
        incarnationCount += 1
        return UInt32(incarnationCount - 1)
    }
}

/// The hot state of one lane of an incarnation.
struct LaneCore {
    /// Until when a blocking call keeps the lane.
    var freeAt: Int64 = 0
    /// Whether the lane has died in an effect whose local time has not come yet.
    var isFenced = false
    /// Jobs that wait for the lane, first in, first out, from `parkedHead` on.
    var parked: [ReadyJob] = []
    var parkedHead = 0
    var hasWakeUp = false

    /// The lane of code that runs for a process outside its threads.
    static let none: UInt8 = 2

    var parkedCount: Int { parked.count - parkedHead }
}

/// The hot state of one incarnation.
struct IncarnationCore {
    /// First, so that the C shims can be handed this pointer.
    var entropy: onebar_entropy
    var isAlive = true
    /// Dies as soon as its code calls the kernel again.
    var isDying = false
    /// The system gives it no time: what is due waits.
    var isSuspended = false
    /// Main, background, and the lane of seams.
    var lanes: UnsafeMutablePointer<LaneCore>
    /// Names the incarnation to every world and thread of this process.
    var registration: UInt32
    var tasksStarted = 0
    var tasksFinished = 0
    var suspensions = 0

    init(entropyKey: UInt64, registration: UInt32) {
        entropy = onebar_entropy(key: entropyKey, counter: 0)
        lanes = .allocate(capacity: 3)
        lanes.initialize(repeating: LaneCore(), count: 3)
        self.registration = registration
    }

    /// Whether code on `lane` may still do anything.
    @inline(__always)
    func canAct(on lane: UInt8) -> Bool { isAlive && !lanes[Int(lane)].isFenced }
}
