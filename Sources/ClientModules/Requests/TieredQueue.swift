/// Who waits for which piece of work, and what starts next: a value, decided from values.
///
/// Work that is asked for twice is done once. Its tier is that of the most urgent who waits for it,
/// at any time: it rises when somebody more urgent joins and falls when they leave. Work that
/// nobody waits for any more is forgotten before it starts, and abandoned after.
struct TieredQueue<Key: Hashable & Sendable>: Sendable {
    /// One piece of work.
    struct Job: Sendable {
        var key: Key
        var tier: RequestTier
        var waiters: [(number: Int, tier: RequestTier)]
        var isRunning = false
    }

    /// What became of a waiter who left.
    enum Leave: Equatable {
        /// It had gone already.
        case unknown
        /// Others still wait.
        case othersWait(tier: RequestTier)
        /// It was the last, and the work had not begun.
        case forgotten(job: Int)
        /// It was the last, and the work is under way.
        case abandoned(job: Int)
    }

    private let slots: RequestSlots?
    private var jobs: [Int: Job] = [:]
    private var jobOfKey: [Key: Int] = [:]
    private var jobOfWaiter: [Int: Int] = [:]
    private var waiting: [[Int]] = RequestTier.allCases.map { _ in [] }
    private var running: [Int] = RequestTier.allCases.map { _ in 0 }
    private var nextJob = 0

    /// Makes an empty queue; without slots, everything starts at once.
    init(slots: RequestSlots?) {
        self.slots = slots
    }

    /// How much is waited for or under way.
    var count: Int { jobs.count }

    /// The work that is known by `job`.
    subscript(job: Int) -> Job? { jobs[job] }

    /// The tier of what is known by `key`, if anything is.
    func tier(of key: Key) -> RequestTier? {
        jobOfKey[key].flatMap { jobs[$0]?.tier }
    }

    /// `waiter` wants what is known by `key`.
    mutating func join(_ key: Key, waiter: Int, tier: RequestTier) -> (job: Int, isNew: Bool) {
        if let known = jobOfKey[key], var job = jobs[known] {
            job.waiters.append((waiter, tier))
            jobs[known] = job
            jobOfWaiter[waiter] = known
            settle(known)
            return (known, false)
        }
        let number = nextJob
        nextJob += 1
        jobs[number] = Job(key: key, tier: tier, waiters: [(waiter, tier)])
        jobOfKey[key] = number
        jobOfWaiter[waiter] = number
        waiting[tier.rawValue].append(number)
        return (number, true)
    }

    /// `waiter` wants it no more.
    mutating func leave(_ waiter: Int) -> Leave {
        guard let number = jobOfWaiter.removeValue(forKey: waiter), var job = jobs[number] else {
            return .unknown
        }
        job.waiters.removeAll { $0.number == waiter }
        jobs[number] = job
        guard job.waiters.isEmpty else {
            settle(number)
            return .othersWait(tier: jobs[number]?.tier ?? job.tier)
        }
        jobOfKey[job.key] = nil
        // What is abandoned holds its slot until it has ended: its transfer may still be on the line.
        guard !job.isRunning else { return .abandoned(job: number) }
        waiting[job.tier.rawValue].removeAll { $0 == number }
        jobs[number] = nil
        return .forgotten(job: number)
    }

    /// Whoever waits for `key` is at least this urgent from now on; false when nobody does.
    mutating func promote(_ key: Key, to tier: RequestTier) -> Bool {
        guard let number = jobOfKey[key], var job = jobs[number] else { return false }
        for index in job.waiters.indices where job.waiters[index].tier < tier {
            job.waiters[index].tier = tier
        }
        jobs[number] = job
        settle(number)
        return true
    }

    /// Takes out what may start now, the most urgent first, the oldest first within a tier.
    mutating func takeStartable() -> [Int] {
        var started: [Int] = []
        for tier in RequestTier.allCases.reversed() {
            let free = (slots?[tier] ?? .max) - running[tier.rawValue]
            guard free > 0, !waiting[tier.rawValue].isEmpty else { continue }
            let taken = waiting[tier.rawValue].prefix(free)
            for number in taken { jobs[number]?.isRunning = true }
            running[tier.rawValue] += taken.count
            started += taken
            waiting[tier.rawValue].removeFirst(taken.count)
        }
        return started
    }

    /// `job` has ended; returns who waits for it.
    mutating func finish(_ job: Int) -> [Int] {
        guard let ended = jobs.removeValue(forKey: job) else { return [] }
        if ended.isRunning {
            running[ended.tier.rawValue] -= 1
        } else {
            waiting[ended.tier.rawValue].removeAll { $0 == job }
        }
        if jobOfKey[ended.key] == job { jobOfKey[ended.key] = nil }
        for waiter in ended.waiters { jobOfWaiter[waiter.number] = nil }
        return ended.waiters.map(\.number)
    }

    /// Everything that is left, oldest first.
    var remaining: [Int] { jobs.keys.sorted() }

    /// Moves a job to the tier of its most urgent waiter.
    ///
    /// Under way, it counts against that tier from now on, which may then hold more than its slots:
    /// what was prefetched and is now looked at makes room for the next to be prefetched.
    private mutating func settle(_ number: Int) {
        guard var job = jobs[number], let tier = job.waiters.map(\.tier).max(), tier != job.tier
        else { return }
        if job.isRunning {
            running[job.tier.rawValue] -= 1
            running[tier.rawValue] += 1
        } else {
            waiting[job.tier.rawValue].removeAll { $0 == number }
            waiting[tier.rawValue].append(number)
        }
        job.tier = tier
        jobs[number] = job
    }
}
