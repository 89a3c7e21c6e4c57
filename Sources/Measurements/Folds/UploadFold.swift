import Quantities
import Trace

/// Actions with bytes to upload: how many, how long, and what they cost on the way.
struct UploadFold: MeasurementFold {
    private var started: [Int64: SimulationInstant] = [:]
    private var isTouched = false
    private var finished = 0
    private var failed = 0
    private var durations: [Int64] = []
    private var sessions = 0
    /// Payload that left the phone, by owner of the packet.
    private var sentByOwner: [String: Int64] = [:]
    private var lastOwner = ""
    private var lastOwnerSent: Int64 = 0
    /// Owners of requests that have not reached an upload yet, and of those that have.
    private var requestOwners: [Int64: String] = [:]
    private var uploadOwners: Set<String> = []
    /// Bytes that the server kept and did not let expire, by upload.
    private var kept: [String: Int64] = [:]

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .packet(let packet):
            observe(packet)
        case .actionStarted(let action):
            guard action.size > .zero else { return }
            isTouched = true
            started[action.action] = record.instant
        case .actionSettled(let action, let outcome):
            guard let start = started.removeValue(forKey: action) else { return }
            guard outcome == .acknowledged else {
                // What the person took back did not fail.
                if outcome != .cancelled { failed += 1 }
                return
            }
            finished += 1
            durations.append((record.instant - start).wholeNanoseconds)
        case .requestStarted(let start):
            requestOwners[start.request] = start.owner
        case .requestEnded(let end):
            requestOwners[end.request] = nil
        case .serverUpload(let event):
            take(event)
        default:
            return
        }
    }

    /// Adds to a running sum while the owner stays the same: packets come in bursts.
    mutating func observe(_ packet: PacketCrossing) {
        guard packet.direction == .up, packet.payload > 0 else { return }
        if packet.owner != lastOwner {
            sentByOwner[lastOwner, default: 0] += lastOwnerSent
            lastOwner = packet.owner
            lastOwnerSent = 0
        }
        lastOwnerSent += Int64(packet.payload)
    }

    private mutating func take(_ event: ServerUploadEvent) {
        if let owner = requestOwners[event.request] { uploadOwners.insert(owner) }
        switch event.kind {
        case .created: sessions += 1
        case .appended(let offset): kept[event.upload] = max(kept[event.upload] ?? 0, offset.bytes)
        case .expired, .terminated: kept[event.upload] = nil
        case .completed: break
        }
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard isTouched else { return [] }
        var sent: Int64 = uploadOwners.contains(lastOwner) ? lastOwnerSent : 0
        for (owner, bytes) in sentByOwner where uploadOwners.contains(owner) { sent += bytes }
        var readings = [
            MetricReading("upload.finished", count: finished),
            MetricReading("upload.failed", count: failed),
            MetricReading("upload.sessions", count: sessions),
        ]
        if !uploadOwners.isEmpty {
            readings.append(MetricReading("upload.sent_bytes", bytes: sent))
        }
        let kept = kept.values.reduce(0, +)
        if kept > 0, sent > 0 {
            let overhead = (Double(sent) / Double(kept) - 1) * 100
            readings.append(MetricReading(MetricName("upload.overhead_pct"), overhead))
        }
        if !durations.isEmpty {
            readings.append(
                MetricReading(
                    MetricName("upload.duration_s"),
                    samples: durations.map { Double($0) / 1e9 }
                )
            )
        }
        return readings
    }
}
