import PhoneModel
import Quantities
import Trace

/// Energies as ARO 4.1.1 and Video Optimizer 4.6 compute them (research notes A.6), in binary joules.
///
/// Their defects are kept on purpose. Both leave out a packet at the very end of an active range.
/// Video Optimizer charges active time in whole throughput windows, the last one twice, and the rest
/// of an idle period at the power of a paging pulse.
struct ToolArithmetic {
    let mode: AnalysisMode
    let model: RadioModel
    let packets: [TrafficPacket]
    private let states: [RadioState]

    /// Seconds of a throughput window: W_THROUGHPUT of lte.conf.
    private static let window = 0.5

    init(mode: AnalysisMode, model: RadioModel, packets: [TrafficPacket]) {
        self.mode = mode
        self.model = model
        self.packets = packets
        states = model.states
    }

    func joules(_ state: Int, from start: Double, to end: Double) -> Double {
        let draw = states[state].draw
        guard case .chain = model.machine else { return draw.base.inWatts * (end - start) }
        if state == 2, model.technology == .lte || model.technology == .nr {
            return activeJoules(from: start, to: end)
        }
        guard let pulse = draw.pulse else { return draw.base.inWatts * (end - start) }
        let period = pulse.period.inSeconds
        let on = pulse.on.inSeconds
        let whole = on * pulse.power.inWatts + (period - on) * draw.base.inWatts
        guard pulse.charge == .each else { return (end - start) / period * whole }
        let periods = ((end - start) / period).rounded(.down)
        let rest = (end - start) - periods * period
        if mode == .vo46 { return periods * whole + rest * pulse.power.inWatts }
        return periods * whole + min(rest, on) * pulse.power.inWatts
            + max(rest - on, 0) * draw.base.inWatts
    }

    private func activeJoules(from start: Double, to end: Double) -> Double {
        let base = states[2].draw.base.inWatts
        guard mode == .vo46 else { return base * (end - start) + transfer(from: start, to: end) }
        guard end > start else { return 0 }
        var total = 0.0
        var last = 0.0
        var from = start
        repeat {
            last = base * Self.window + transfer(from: from, to: min(from + Self.window, end))
            total += last
            from += Self.window
        } while from < end
        return total + last
    }

    /// Joules for what is sent in [start, end).
    private func transfer(from start: Double, to end: Double) -> Double {
        var low = 0
        var high = packets.count
        while low < high {
            let middle = (low + high) / 2
            if packets[middle].seconds < start { low = middle + 1 } else { high = middle }
        }
        var up = 0.0
        var down = 0.0
        while low < packets.count, packets[low].seconds < end {
            let packet = packets[low]
            if packet.direction == .up {
                up += Double(packet.size)
            } else {
                down += Double(packet.size)
            }
            low += 1
        }
        return (up * model.slope.up.inWatts + down * model.slope.down.inWatts) * 8 / 1e6
    }
}

extension TrafficPacket {
    /// The time in binary seconds.
    package var seconds: Double { Double(time) / 1e9 }
}

extension Power {
    /// Watts as a floating-point number, for arithmetic that follows a published tool.
    var inWatts: Double { Double(microwatts) / 1e6 }
}
