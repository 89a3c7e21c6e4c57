import PhoneModel
import Quantities
import Trace

/// Finds the changes that would save most, by running the ledger over changed traffic.
struct AdviceSearch {
    let model: RadioModel
    let traffic: Traffic
    let bursts: [CaptureReport.BurstCost]
    let periods: [PeriodicTransfer]
    /// What bursts are told apart by.
    var subject = Subject.host
    /// Those that cannot be moved, only ridden on.
    var fixed: Set<String> = []
    /// Packets that all runs together may take: more would cost more than the analysis itself.
    var budget = 1_000_000

    /// What a burst belongs to: a host in a capture, an operation of the app in a run.
    enum Subject {
        case host
        case operation
    }

    /// A burst may be put off by this much (assumption: what a sync can wait).
    private static let patience: Int64 = 900_000_000_000
    /// Bursts of one host within this span may be put together (the tools' window for sets).
    private static let window: Int64 = 60_000_000_000
    /// Smaller savings are not worth a line.
    private static let least = 0.01

    /// The best changes, largest first.
    func find(most count: Int) -> [CaptureAdvice] {
        let runs = budget / max(traffic.packets.count, 1)
        guard runs > 0, !bursts.isEmpty else { return [] }
        let base = energy(traffic.packets)
        var advice: [CaptureAdvice] = []
        for candidate in candidates.prefix(runs) {
            guard let changed = candidate.change(self) else { continue }
            let saved = (base - energy(changed.packets)).inJoules
            guard saved > base.inJoules * Self.least else { continue }
            advice.append(CaptureAdvice(message: changed.message, savedJoules: saved))
        }
        advice.sort { ($1.savedJoules, $0.message) < ($0.savedJoules, $1.message) }
        return Array(advice.prefix(count))
    }

    private struct Candidate {
        let change: (AdviceSearch) -> (packets: PacketMerge, message: String)?
    }

    private var candidates: [Candidate] {
        var candidates: [Candidate] = []
        for period in periods.prefix(3) {
            candidates.append(Candidate { $0.lengthen(period) })
            candidates.append(Candidate { $0.ride(period.host) })
        }
        var tails: [String: Energy] = [:]
        for burst in bursts where !fixed.contains(burst.host) {
            tails[burst.host, default: .zero] += burst.burst.tailEnergy
        }
        let hosts = tails.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        for host in hosts.prefix(4) {
            candidates.append(Candidate { $0.coalesce(host) })
            if !periods.contains(where: { $0.host == host }) {
                candidates.append(Candidate { $0.ride(host) })
            }
        }
        return candidates
    }

    private func energy(_ packets: some Sequence<TrafficPacket>) -> Energy {
        var total = Energy.zero
        StateAnalysis(model).forEachStretch(packets, length: traffic.length) { total += $0.energy }
        return total
    }

    /// Every second burst of a periodic host left out.
    private func lengthen(_ period: PeriodicTransfer) -> (packets: PacketMerge, message: String)? {
        var dropped = Set<Int>()
        var index = 0
        for (position, burst) in bursts.enumerated()
        where burst.host == period.host && burst.burst.category == .periodical {
            if index % 2 == 1 { dropped.insert(position) }
            index += 1
        }
        guard !dropped.isEmpty else { return nil }
        let from = period.period.compactText
        let to = (period.period + period.period).compactText
        return (
            changed(moves: [:], without: dropped),
            "\(subject == .host ? "poll" : "do") \(period.host) every \(to) instead of every \(from)"
        )
    }

    /// Bursts of a host moved to where the next burst of another host ends.
    private func ride(_ host: String) -> (packets: PacketMerge, message: String)? {
        var moves: [Int: Int64] = [:]
        var next: Int64?
        for position in bursts.indices.reversed() {
            let burst = bursts[position].burst
            if bursts[position].host != host {
                next = burst.end
            } else if let target = next, target - burst.start <= Self.patience {
                moves[position] = target - burst.start
            }
        }
        guard !moves.isEmpty else { return nil }
        let count = "\(moves.count) \(moves.count == 1 ? "transfer" : "transfers")"
        switch subject {
        case .host:
            return (
                changed(moves: moves),
                "let \(count) to \(host) wait (15 min at most) and ride on the next transfer to "
                    + "another host"
            )
        case .operation:
            return (
                changed(moves: moves),
                "let \(count) of \(host) wait (15 min at most) and ride on whatever comes next"
            )
        }
    }

    /// Bursts of a host that follow one of its own within the window, put right behind it.
    private func coalesce(_ host: String) -> (packets: PacketMerge, message: String)? {
        var moves: [Int: Int64] = [:]
        var group: (start: Int64, end: Int64)?
        for (position, cost) in bursts.enumerated() where cost.host == host {
            let burst = cost.burst
            if let open = group, burst.start - open.start <= Self.window, burst.start > open.end {
                moves[position] = open.end - burst.start
                group = (open.start, open.end + (burst.end - burst.start))
            } else {
                group = (burst.start, burst.end)
            }
        }
        guard !moves.isEmpty else { return nil }
        let count = moves.count == 1 ? "1 transfer moves" : "\(moves.count) transfers move"
        switch subject {
        case .host:
            return (
                changed(moves: moves), "send what \(host) gets within a minute at once (\(count))"
            )
        case .operation:
            return (
                changed(moves: moves), "gather \(host) for up to a minute, send at once (\(count))"
            )
        }
    }

    /// The traffic with some bursts moved by nanoseconds, and without others.
    private func changed(moves: [Int: Int64], without dropped: Set<Int> = []) -> PacketMerge {
        var cursors: [PacketMerge.Cursor] = []
        /// Bursts that stay where they are, and follow each other.
        var still = 0..<0
        func close() {
            if !still.isEmpty { cursors.append(PacketMerge.Cursor(traffic.packets, still)) }
            still = still.upperBound..<still.upperBound
        }
        for (position, cost) in bursts.enumerated() {
            let range = cost.burst.first..<(cost.burst.last + 1)
            let shift = moves[position] ?? 0
            if shift == 0, !dropped.contains(position) {
                if still.upperBound != range.lowerBound { close() }
                still = (still.isEmpty ? range.lowerBound : still.lowerBound)..<range.upperBound
                continue
            }
            close()
            guard !dropped.contains(position) else { continue }
            cursors.append(
                PacketMerge.Cursor(traffic.packets, range, shift: shift, latest: traffic.length)
            )
        }
        close()
        return PacketMerge(cursors)
    }
}
