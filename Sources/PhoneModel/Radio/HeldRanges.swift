import Quantities

/// A stretch that a machine may still change before it is drawn in the ledger.
package struct RadioRange: Equatable, Sendable {
    /// Index into the model's states.
    package var state: Int
    package var start: RadioTime
    package var end: RadioTime

    /// Makes a range.
    package init(state: Int, start: RadioTime, end: RadioTime) {
        self.state = state
        self.start = start
        self.end = end
    }
}

/// Holds ranges and uses back until the machine is sure of them.
///
/// The inferences about 3G look back: a packet may show that an earlier stretch was a promotion.
struct HeldRanges {
    var ranges: [RadioRange] = []
    private var uses: [(use: RadioUse, commitment: Energy)] = []

    /// Notes a use, in order of time.
    mutating func note(_ use: RadioUse, commitment: Energy) {
        uses.append((use, commitment))
    }

    /// Draws the ranges that end by `limit` (all without one) with the uses in them; forgets them.
    ///
    /// A use at a boundary belongs to the later range. What overlaps is drawn once.
    mutating func flush(
        _ ledger: inout RadioLedger,
        edges: RadioEdges,
        through limit: RadioTime? = nil
    ) {
        var count = ranges.count
        if let limit { count = ranges.firstIndex { edges.isLess(limit, $0.end) } ?? count }
        guard count > 0 else { return }
        var next = 0
        for range in ranges[..<count] {
            while next < uses.count, edges.isLess(uses[next].use.start, range.end) {
                let (use, commitment) = uses[next]
                let time = edges.later(ledger.cursor, use.start)
                ledger.draw(range.state, to: time, payer: use.owner)
                ledger.use(use, commitment: commitment)
                next += 1
            }
            let payer = next < uses.count ? uses[next].use.owner : RadioLedger.idleOwner
            ledger.draw(
                range.state,
                to: edges.later(ledger.cursor, range.end),
                payer: payer
            )
        }
        ranges.removeFirst(count)
        uses.removeFirst(next)
    }

    /// Draws everything; uses at the very end are charged to the last range.
    mutating func finish(_ ledger: inout RadioLedger, edges: RadioEdges) {
        flush(&ledger, edges: edges)
        for (use, commitment) in uses { ledger.use(use, commitment: commitment) }
        uses.removeAll()
    }
}
