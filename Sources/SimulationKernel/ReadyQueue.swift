/// A job that may run at this instant.
struct ReadyJob {
    var job: UnownedJob
    var sequence: UInt64
    var owner: UInt32
    var lane: UInt8
}

/// First in, first out: the jobs that were enqueued without a deadline.
struct ReadyQueue {
    private var jobs: UnsafeMutablePointer<ReadyJob>
    private var capacity: Int
    private var head = 0
    private(set) var count = 0

    /// An empty queue; `capacity` is a power of two.
    init(capacity: Int = 64) {
        self.capacity = capacity
        jobs = .allocate(capacity: capacity)
    }

    func deallocate() {
        jobs.deallocate()
    }

    @inline(__always) var isEmpty: Bool { count == 0 }

    /// The sequence number of the first job; traps if there is none.
    @inline(__always) var firstSequence: UInt64 { jobs[head].sequence }

    @inline(__always)
    mutating func append(_ job: ReadyJob) {
        if count == capacity { grow() }
        (jobs + ((head &+ count) & (capacity &- 1))).initialize(to: job)
        count &+= 1
    }

    @inline(__always)
    mutating func removeFirst() -> ReadyJob {
        let job = jobs[head]
        head = (head &+ 1) & (capacity &- 1)
        count &-= 1
        return job
    }

    @inline(never)
    private mutating func grow() {
        let grown = UnsafeMutablePointer<ReadyJob>.allocate(capacity: capacity * 2)
        for index in 0..<count {
            (grown + index).initialize(to: jobs[(head + index) & (capacity - 1)])
        }
        jobs.deallocate()
        jobs = grown
        head = 0
        capacity *= 2
    }
}
