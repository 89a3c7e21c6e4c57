import Measurements
import Quantities
import SimulationKernel

/// The first kernel event in which two runs of a seed differ: whose it was, and what to look for.
package struct Divergence: Sendable, Equatable {
    /// What made the runs differ, as far as the lab can see.
    package enum Cause: Sendable, Equatable {
        /// Code of this owner read a clock of the system.
        case clock(reader: String, event: UInt64)
        /// Code of this owner drew entropy of the system.
        case entropy(reader: String, event: UInt64)
        /// Nothing was asked of the system: order by address, a static, a thread.
        case unseen
    }

    /// The number of the event, from zero.
    package let number: UInt64
    /// The event in the first run and in the second; nil where that run was over.
    package let first: EventRecord?
    package let second: EventRecord?
    /// The launch whose code ran last before the runs parted, such as "app#1"; nil if none did.
    package let owner: String?
    /// The thread that it ran on.
    package let lane: ExecutionLane?
    /// What it did before, in words.
    package let before: StoryLine?
    /// What made the difference.
    package let cause: Cause

    /// Finds the first event in which two recordings of one window differ; nil if there is none.
    package init?(_ first: RunRecording, _ second: RunRecording) {
        guard let parted = EventRecord.firstDifference(first.events, second.events) else {
            return nil
        }
        let events = parted.first == nil ? second.events : first.events
        guard let shown = parted.first ?? parted.second else { return nil }
        self.first = parted.first
        self.second = parted.second
        number = shown.number
        // A packet or an answer is the world's event; what is in it came from the app.
        let done = events.prefix { $0.number < shown.number }
        let own = [parted.first, parted.second].compactMap { $0 }.first { $0.owner != "world" }
        let culprit = own ?? done.last { $0.owner != "world" }
        owner = culprit?.owner
        lane = culprit?.lane
        before = first.story.last { $0.instant <= shown.instant }
        cause = Self.cause(in: done, first.isPortable || second.isPortable)
    }

    /// The last asking of the system before the runs parted: where clocks are virtual it is no cause.
    private static func cause(in done: ArraySlice<EventRecord>, _ isPortable: Bool) -> Cause {
        guard isPortable,
            let asked = done.last(where: { $0.clockReads > 0 || $0.entropyDraws > 0 })
        else { return .unseen }
        return asked.entropyDraws > 0
            ? .entropy(reader: asked.owner, event: asked.number)
            : .clock(reader: asked.owner, event: asked.number)
    }

    /// The event in each run, whose it was, and what to replace, a line each.
    package var lines: [String] {
        var lines = [
            "first run:  \(first.map { "\($0)" } ?? "is over")",
            "second run: \(second.map { "\($0)" } ?? "is over")",
        ]
        if let owner {
            let place = lane.map { " on its \($0) thread" } ?? ""
            lines.append("whose code ran: \(owner)\(place)")
        } else {
            lines.append("whose code ran: the lab's own; please report it")
        }
        if let before { lines.append("before that, at \(before.instant): \(before.text)") }
        return lines + remedy
    }

    private var remedy: [String] {
        switch cause {
        case .clock(let reader, let event):
            [
                "likely cause: \(reader) read the system's clock in event \(event): Date(), "
                    + "ContinuousClock, Task.sleep",
                "  replace it by the clock that is injected: environment.clock.now, .wallTime, "
                    + ".sleep(until:)",
            ]
        case .entropy(let reader, let event):
            [
                "likely cause: \(reader) drew the system's entropy in event \(event): UUID(), "
                    + "random(in:), shuffled(), SystemRandomNumberGenerator",
                "  draw from the generator that is injected: environment.random",
            ]
        case .unseen:
            [
                "likely cause: no clock and no entropy of the system was read, so look for",
                "  - the order of a Set or a Dictionary whose keys hash by address "
                    + "(ObjectIdentifier): sort before use",
                "  - a static or a global that keeps what an earlier run left: make it part of "
                    + "the launch",
                "  - a thread, a queue or a real file of its own: use tasks, and the FileStore that "
                    + "is injected",
            ]
        }
    }

    /// Runs a seed again until two runs part, and says where.
    ///
    /// - Parameters:
    ///   - window: Where two runs parted before; code that is not reproducible may part elsewhere.
    ///   - tries: How often it is tried.
    ///   - first: Records one run of the window.
    ///   - second: Records the other.
    /// - Returns: nil if they were alike each time.
    package static func locate(
        _ window: Range<UInt64>,
        tries: Int = 4,
        first: (Range<UInt64>) throws -> RunRecording?,
        second: (Range<UInt64>) throws -> RunRecording?
    ) rethrows -> Divergence? {
        var window = window
        for _ in 0..<tries {
            guard let one = try first(window), let other = try second(window) else { return nil }
            if let found = Divergence(one, other) { return found }
            guard
                let place = RunRecording.firstDifference(
                    (one.fingerprint, one.checkpoints),
                    (other.fingerprint, other.checkpoints)
                )
            else { return nil }
            window = place
        }
        return nil
    }
}

extension SeedRunner {
    /// Runs `seed` twice in this process; nil if both runs were the same.
    ///
    /// - Throws: `KernelFault`.
    package func divergence(
        seed: UInt64,
        options: Options = Options()
    ) throws -> Divergence? {
        let one = try run(seed: seed, options: options).fingerprint
        let other = try run(seed: seed, options: options).fingerprint
        guard
            let window = RunRecording.firstDifference(
                ("\(one)", one.checkpoints),
                ("\(other)", other.checkpoints)
            )
        else { return nil }
        let record = { window in
            try RunRecording(self, seed: seed, window: window, options: options)
        }
        return try Divergence.locate(window, first: record, second: record)
    }
}
