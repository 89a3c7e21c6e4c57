import Quantities

/// The published tools' rules that a capture can show (research notes A.8).
struct FindingRules {
    let bursts: [CaptureReport.BurstCost]
    let openConnections: (all: Int, one: Int)
    let hasConnections: Bool

    /// Every rule with its verdict, in the order of the tool's groups.
    var findings: [CaptureFinding] {
        var findings = [unnecessaryConnections, periodicTransfers, connectionClosing, offloading]
        if hasConnections { findings.append(simultaneousConnections) }
        return findings
    }

    /// Four bursts that no user caused within 60 s are one set; four sets fail.
    private var unnecessaryConnections: CaptureFinding {
        let starts = bursts.map(\.burst.start)
        var sets = 0
        var first = 0
        var next = 0
        while next < starts.count {
            while starts[next] - starts[first] > 60_000_000_000 { first += 1 }
            if next - first + 1 >= 4 {
                sets += 1
                first = next + 1
                next = first
                continue
            }
            next += 1
        }
        return CaptureFinding(
            rule: "tightly grouped connections",
            verdict: sets >= 4 ? .fail : .pass,
            message: "\(sets) times four or more bursts lie within 60 s (4 such sets are too many)"
        )
    }

    private var periodicTransfers: CaptureFinding {
        let count = bursts.count { $0.burst.category == .periodical }
        return CaptureFinding(
            rule: "periodic transfers",
            verdict: count >= 3 ? .fail : .pass,
            message: "\(count) bursts come at a fixed interval (3 are too many)"
        )
    }

    private var connectionClosing: CaptureFinding {
        let total = bursts.reduce(0) { $0 + $1.burst.energy.inJoules }
        let closing = bursts.filter { $0.burst.category == .tcpProtocol }
            .reduce(0) { $0 + $1.burst.energy.inJoules }
        let share = total > 0 ? closing / total * 100 : 0
        let rounded = (share * 10).rounded() / 10
        return CaptureFinding(
            rule: "connection closing",
            verdict: share >= 5 ? .fail : .pass,
            message: "\(rounded) % of the bursts' energy only opened, closed or kept connections "
                + "(5 % is too much)"
        )
    }

    private var offloading: CaptureFinding {
        let count = bursts.count { $0.burst.category == .long }
        return CaptureFinding(
            rule: "offloading to Wi-Fi",
            verdict: count > 3 ? .fail : .pass,
            message: "\(count) bursts are long and large (more than 3 belong on Wi-Fi)"
        )
    }

    private var simultaneousConnections: CaptureFinding {
        let isMany = openConnections.one >= 7 || openConnections.all >= 12
        return CaptureFinding(
            rule: "simultaneous connections",
            verdict: isMany ? .warn : .pass,
            message: (openConnections.all == 1
                ? "1 connection was open at once, "
                : "up to \(openConnections.all) connections were open at once, ")
                + "\(openConnections.one) to one server (12 and 7 are many)"
        )
    }
}
