import Quantities
import Trace

/// Adds up what the states draw and who pays.
///
/// An owner pays its own transmission and, when the radio wakes for it, the promotion and the whole
/// tail. One who comes while another's tail runs pays what it adds: its activity, and as much tail
/// as had already run. Each tail is therefore paid in advance as a debt, oldest debtor first:
/// after a use the debts amount to the energy of everything that is still to be drawn if no
/// other use comes. Idle draw belongs to `idleOwner`.
struct RadioLedger {
    /// The owner number of what the phone draws while no owner keeps the radio up.
    static let idleOwner: Int32 = -1

    private let states: [RadioState]
    private let slope: TransferSlope
    /// The stretch that is being drawn; there is none while its state is -1.
    private var open = RadioStretch(
        state: -1,
        start: .zero,
        end: .zero,
        energy: .zero,
        up: 0,
        down: 0,
        shares: []
    )
    private var debts: [RadioStretch.Share] = []
    private var firstDebt = 0
    private var owed = Energy.zero
    /// Closed stretches that nobody has fetched yet.
    var closed: [RadioStretch] = []
    /// When the open stretch has been drawn to.
    private(set) var cursor = RadioTime.zero

    init(states: [RadioState], slope: TransferSlope) {
        self.states = states
        self.slope = slope
    }

    /// Draws `state` up to `end`; neighbours of one state merge.
    ///
    /// Paid from the debts, and by `payer` where they do not suffice.
    mutating func draw(_ state: Int, to end: RadioTime, payer: Int32, ownsAll: Bool = false) {
        if open.state != state { begin(state) }
        let energy = advance(to: end)
        if state == 0 {
            clearDebts()
            share(energy, owner: Self.idleOwner)
        } else if ownsAll {
            share(energy, owner: payer)
        } else {
            settle(energy, payer: payer)
        }
    }

    /// Charges a transfer in the open stretch, and leaves `commitment` of debts behind.
    mutating func use(_ use: RadioUse, commitment: Energy) {
        let energy = slope.energy(use.direction, bytes: use.bytes)
        open.energy += energy
        if use.direction == .up { open.up += use.bytes } else { open.down += use.bytes }
        share(energy, owner: use.owner)
        if owed < commitment {
            addDebt(commitment - owed, owner: use.owner)
        } else if commitment < owed {
            forgive(owed - commitment)
        }
    }

    /// Closes the open stretch.
    mutating func close() {
        if open.state >= 0 { closed.append(open) }
        open.state = -1
    }

    private mutating func begin(_ state: Int) {
        close()
        open = RadioStretch(
            state: state,
            start: cursor,
            end: cursor,
            energy: .zero,
            up: 0,
            down: 0,
            shares: []
        )
    }

    private mutating func advance(to end: RadioTime) -> Energy {
        let start = open.start.nanoseconds
        let draw = states[open.state].draw
        let energy =
            draw.energy(first: end.nanoseconds - start)
            - draw.energy(first: cursor.nanoseconds - start)
        cursor = end
        open.end = end
        open.energy += energy
        return energy
    }

    private mutating func settle(_ energy: Energy, payer: Int32) {
        var rest = energy
        while rest > .zero, firstDebt < debts.count {
            let part = min(rest, debts[firstDebt].energy)
            share(part, owner: debts[firstDebt].owner)
            debts[firstDebt].energy -= part
            rest -= part
            owed -= part
            if debts[firstDebt].energy == .zero { firstDebt += 1 }
        }
        if firstDebt == debts.count { clearDebts() }
        share(rest, owner: payer)
    }

    private mutating func addDebt(_ energy: Energy, owner: Int32) {
        owed += energy
        if firstDebt < debts.count, debts[debts.count - 1].owner == owner {
            debts[debts.count - 1].energy += energy
            return
        }
        if firstDebt > 64 {
            debts.removeFirst(firstDebt)
            firstDebt = 0
        }
        debts.append(RadioStretch.Share(owner: owner, energy: energy))
    }

    private mutating func forgive(_ energy: Energy) {
        var rest = energy
        owed -= energy
        while rest > .zero, let last = debts.last {
            let part = min(rest, last.energy)
            debts[debts.count - 1].energy -= part
            rest -= part
            if debts[debts.count - 1].energy == .zero { debts.removeLast() }
        }
        if firstDebt >= debts.count { clearDebts() }
    }

    private mutating func clearDebts() {
        debts.removeAll(keepingCapacity: true)
        firstDebt = 0
        owed = .zero
    }

    private mutating func share(_ energy: Energy, owner: Int32) {
        guard energy != .zero, open.state >= 0 else { return }
        open.add(energy, owner: owner)
    }
}

extension RadioStretch {
    fileprivate mutating func add(_ more: Energy, owner: Int32) {
        var low = 0
        var high = shares.count
        while low < high {
            let middle = (low + high) / 2
            if shares[middle].owner < owner { low = middle + 1 } else { high = middle }
        }
        if low < shares.count, shares[low].owner == owner {
            shares[low].energy += more
        } else {
            shares.insert(Share(owner: owner, energy: more), at: low)
        }
    }
}
