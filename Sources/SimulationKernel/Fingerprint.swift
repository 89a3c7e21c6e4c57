import CVirtualTime
import Quantities

/// A number that two runs share if they handled the same events in the same order, with checkpoints.
package struct Fingerprint: Hashable, Sendable {
    /// The rolling value after the last event.
    package let value: UInt64
    /// Events and notes mixed in.
    package let events: UInt64
    /// The value after every 256th event.
    package let checkpoints: [UInt64]

    /// Events between two checkpoints.
    package static let window: UInt64 = 256

    /// The window of event numbers, counted from zero, in which two runs first differ; nil if equal.
    ///
    /// Run both again with `Simulation.record(events:)` of this window to see the event itself.
    package static func firstDifference(_ a: Fingerprint, _ b: Fingerprint) -> Range<UInt64>? {
        guard a.value != b.value || a.events != b.events else { return nil }
        let shared = min(a.checkpoints.count, b.checkpoints.count)
        // Once apart, rolling values stay apart, so the first difference can be bisected.
        var low = 0
        var high = shared
        while low < high {
            let middle = (low + high) / 2
            if a.checkpoints[middle] == b.checkpoints[middle] {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return UInt64(low) * window..<UInt64(low + 1) * window
    }

    /// A tag made of text, for `Simulation.note`: FNV-1a, 64 bits.
    package static func tag(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}

extension Fingerprint: CustomStringConvertible {
    /// The value as sixteen hexadecimal digits.
    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// One event as the fingerprint saw it.
package struct EventRecord: Hashable, Codable, Sendable, CustomStringConvertible {
    /// Counted from zero over the whole run.
    package let number: UInt64
    /// When it happened.
    package let instant: SimulationInstant
    /// What kind of event it was: `receiver`, `action`, `job`, ...
    package let kind: String
    /// Whose it was: `phone#2`, or `world`.
    package let owner: String
    /// The lane it ran on, if any.
    package let lane: ExecutionLane?
    /// The payload of a receiver's event, or the tag of a note.
    package let payload: UInt64
    /// Times that code read a clock of the system from here to the next record.
    package let clockReads: UInt64
    /// Times that it drew entropy of the system from here to the next record.
    package let entropyDraws: UInt64

    /// Makes a record.
    package init(
        number: UInt64,
        instant: SimulationInstant,
        kind: String,
        owner: String,
        lane: ExecutionLane? = nil,
        payload: UInt64 = 0,
        clockReads: UInt64 = 0,
        entropyDraws: UInt64 = 0
    ) {
        self.number = number
        self.instant = instant
        self.kind = kind
        self.owner = owner
        self.lane = lane
        self.payload = payload
        self.clockReads = clockReads
        self.entropyDraws = entropyDraws
    }

    /// Whether the fingerprint saw the same; what code asked the system for is no part of it.
    package func isSame(as other: EventRecord) -> Bool {
        number == other.number && instant == other.instant && kind == other.kind
            && owner == other.owner && lane == other.lane && payload == other.payload
    }

    /// One line for a report.
    package var description: String {
        let place = lane.map { " on \($0)" } ?? ""
        return "event \(number): \(kind) of \(owner)\(place), payload \(payload), at \(instant)"
    }

    /// The first place where two recordings of the same window differ.
    package static func firstDifference(
        _ a: [EventRecord],
        _ b: [EventRecord]
    ) -> (first: EventRecord?, second: EventRecord?)? {
        for index in 0..<max(a.count, b.count) {
            let left = index < a.count ? a[index] : nil
            let right = index < b.count ? b[index] : nil
            guard let left, let right, left.isSame(as: right) else { return (left, right) }
        }
        return nil
    }
}

/// The rolling state of the fingerprint.
struct FingerprintState {
    var value: UInt64 = 0x6F6E_6562_6172_2E31
    var events: UInt64 = 0
    /// The next event number at which something must be kept.
    var stopAt: UInt64 = Fingerprint.window
    var checkpoints: [UInt64] = []
    var recording: Range<UInt64> = 0..<0
    var records: [RawRecord] = []
    /// What code has asked the system for so far; set while events are recorded.
    var world: UnsafePointer<onebar_world_state>?

    struct RawRecord {
        let number: UInt64
        let at: Int64
        let tag: UInt32
        let payload: UInt64
        let clockReads: UInt64
        let entropyDraws: UInt64
    }

    /// Mixes one event: two independent multiplications, then one in the chain.
    @inline(__always)
    mutating func mix(at: Int64, tag: UInt32, payload: UInt64) {
        let word =
            UInt64(bitPattern: at) &* 0x9E37_79B9_7F4A_7C15
            ^ (payload &+ UInt64(tag) << 32) &* 0xBF58_476D_1CE4_E5B9
        let mixed = value ^ word
        value = (mixed << 29 | mixed >> 35) &* 0x94D0_49BB_1331_11EB
        events &+= 1
        if events >= stopAt { keep(at: at, tag: tag, payload: payload) }
    }

    @inline(never)
    private mutating func keep(at: Int64, tag: UInt32, payload: UInt64) {
        if events % Fingerprint.window == 0 { checkpoints.append(value) }
        if recording.contains(events - 1) {
            records.append(
                RawRecord(
                    number: events - 1,
                    at: at,
                    tag: tag,
                    payload: payload,
                    clockReads: world?.pointee.clock_reads ?? 0,
                    entropyDraws: world?.pointee.entropy_draws ?? 0
                )
            )
        }
        var next = (events / Fingerprint.window + 1) * Fingerprint.window
        if !recording.isEmpty, events < recording.upperBound {
            next = min(next, max(events + 1, recording.lowerBound + 1))
        }
        stopAt = next
    }

    mutating func record(_ range: Range<UInt64>) {
        precondition(range.lowerBound >= events, "events before \(events) have passed")
        recording = range
        records = []
        if !range.isEmpty { stopAt = min(stopAt, max(events + 1, range.lowerBound + 1)) }
    }
}
