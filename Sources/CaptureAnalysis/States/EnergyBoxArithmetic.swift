import PhoneModel
import Quantities
import Trace

/// State points and energies as EnergyBox computes them (research notes A.9), in binary seconds.
///
/// A step function of points, two at each change. Packets are taken in the order of the file, whose
/// time stamps may go back; the energy between two points is then negative, as in the tool.
struct EnergyBoxArithmetic {
    let model: RadioModel

    /// One point of the step function.
    struct Point: Equatable {
        var state: Int
        var time: Double
    }

    /// The points; empty for radios that the tool does not know.
    func points(_ packets: [TrafficPacket]) -> [Point] {
        guard !packets.isEmpty else { return [] }
        switch model.machine {
        case .bufferedChannel(let parameters):
            var walk = ChannelWalk(parameters)
            return walk.points(packets)
        case .powerSave(let parameters):
            return PowerSaveWalk(parameters).points(packets)
        case .chain, .sharedChannel:
            return []
        }
    }

    /// Joules: the sum over the points of time since the one before at the state before.
    func joules(_ points: [Point]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { sum, pair in
            sum + (pair.1.time - pair.0.time) * watts(pair.0.state)
        }
    }

    /// Neighbouring points as ranges, those of equal state merged.
    func ranges(_ traffic: Traffic) -> [StateRange] {
        let points = points(Array(traffic.packets))
        var ranges: [StateRange] = []
        for (start, end) in zip(points, points.dropFirst()) where start.time != end.time {
            let joules = (end.time - start.time) * watts(start.state)
            let name = self.name(start.state)
            if let last = ranges.last, last.state == name {
                ranges[ranges.count - 1].end = end.time
                ranges[ranges.count - 1].joules += joules
            } else {
                ranges.append(
                    StateRange(state: name, start: start.time, end: end.time, joules: joules)
                )
            }
        }
        return ranges
    }

    private func watts(_ state: Int) -> Double {
        switch model.machine {
        case .bufferedChannel(let parameters):
            switch state {
            case 3: parameters.dchPower.inWatts
            case 1: parameters.fachPower.inWatts
            default: parameters.idlePower.inWatts
            }
        case .powerSave(let parameters):
            switch state {
            case 3: parameters.camHighPower.inWatts
            case 2: parameters.camPower.inWatts
            default: parameters.psmPower.inWatts
            }
        case .chain, .sharedChannel:
            0
        }
    }

    private func name(_ state: Int) -> String {
        if case .powerSave = model.machine { return ["PSM", "", "CAM", "CAMH"][state] }
        return ["IDLE", "FACH", "", "DCH"][state]
    }
}

/// 3G, FACH and DCH by buffers: states idle 0, FACH 1, DCH 3.
private struct ChannelWalk {
    private typealias Point = EnergyBoxArithmetic.Point
    private let parameters: BufferedChannelParameters
    private let dch: Double
    private let fach: Double
    private var points: [EnergyBoxArithmetic.Point] = []
    private var state = 0
    private var up = 0.0
    private var down = 0.0

    init(_ parameters: BufferedChannelParameters) {
        self.parameters = parameters
        dch = parameters.dchTimer.inSeconds
        fach = parameters.fachTimer.inSeconds
    }

    private mutating func draw(_ time: Double, _ state: Int) {
        points.append(EnergyBoxArithmetic.Point(state: state, time: time))
    }

    mutating func points(_ packets: [TrafficPacket]) -> [EnergyBoxArithmetic.Point] {
        var last = packets[0].seconds
        var lastUp = last
        var lastDown = last
        for (index, packet) in packets.enumerated() {
            let time = packet.seconds
            demote(last, time - last)
            let next = index + 1 < packets.count ? packets[index + 1].seconds : nil
            switch state {
            case 0:
                wake(packet, time, next: next)
            case 1:
                stay(packet, time, sinceUp: time - lastUp, sinceDown: time - lastDown)
            default:
                draw(time, 3)
                up = 0
                down = 0
            }
            if packet.direction == .up { lastUp = time } else { lastDown = time }
            last = time
        }
        if state == 3 {
            draw(last + dch, 3)
            draw(last + dch, 1)
            draw(last + dch + fach, 1)
            draw(last + dch + fach, 0)
        } else if state == 1 {
            draw(last + fach, 1)
            draw(last + fach, 0)
        }
        return points
    }

    private mutating func demote(_ last: Double, _ gap: Double) {
        if state == 1, gap > fach {
            draw(last + fach, 1)
            draw(last + fach, 0)
            state = 0
        } else if state == 3, gap > dch {
            draw(last + dch, 3)
            draw(last + dch, 1)
            state = 1
            guard gap > dch + fach else { return }
            draw(last + dch + fach, 1)
            draw(last + dch + fach, 0)
            state = 0
        }
    }

    private mutating func wake(_ packet: TrafficPacket, _ time: Double, next: Double?) {
        let isUp = packet.direction == .up
        let threshold = isUp ? parameters.uplinkFromIdle : parameters.downlinkFromIdle
        guard Int64(packet.size) > threshold else {
            draw(time, 0)
            draw(time, 1)
            state = 1
            return
        }
        let promoted = time + parameters.idleToDch.inSeconds
        let start = isUp && promoted < (next ?? -1) ? promoted : time
        draw(start, 0)
        draw(start, 3)
        state = 3
    }

    private mutating func stay(
        _ packet: TrafficPacket,
        _ time: Double,
        sinceUp: Double,
        sinceDown: Double
    ) {
        let drain =
            parameters.uplinkDrainPerByte.inSeconds * up + parameters.uplinkDrainConstant.inSeconds
        if sinceUp > drain { up = 0 }
        if sinceDown > parameters.downlinkDrain.inSeconds { down = 0 }
        draw(time, 1)
        if packet.direction == .up {
            up += Double(packet.size)
            if up > Double(parameters.uplinkFromFach) {
                state = 3
                up = 0
            }
        } else {
            down += Double(packet.size)
            if down > Double(parameters.downlinkFromFach) {
                state = 3
                down = 0
            }
        }
        draw(time, state)
    }
}

/// Wi-Fi, awake by a timer, with high-rate windows over it: states PSM 0, CAM 2, CAMH 3.
private struct PowerSaveWalk {
    private typealias Point = EnergyBoxArithmetic.Point
    private let parameters: PowerSaveParameters

    init(_ parameters: PowerSaveParameters) {
        self.parameters = parameters
    }

    func points(_ packets: [TrafficPacket]) -> [EnergyBoxArithmetic.Point] {
        var points = awakePoints(packets)
        let samples = self.samples(packets)
        let isHigh = samples.map { $0.bytes > parameters.threshold }
        guard isHigh.contains(true) else { return points }
        var index = 1
        var sample = 0
        var last = 0
        while index < points.count, sample < samples.count {
            let end = samples[sample].time
            if isHigh[sample] {
                last = sample
                guard points[index].time < end else {
                    sample += 1
                    continue
                }
                if points[index].state == 2 {
                    raise(&points, index, windowStart: samples[max(0, sample - 1)].time)
                }
                index += 1
            } else if points[index].time < end {
                if points[index - 1].state == 3 {
                    let time = samples[last].time + 0.001
                    points.insert(Point(state: 3, time: time), at: index)
                    points.insert(Point(state: 2, time: time), at: index + 1)
                    index += 1
                }
                index += 1
            } else {
                sample += 1
            }
        }
        return points
    }

    private func raise(
        _ points: inout [EnergyBoxArithmetic.Point],
        _ index: Int,
        windowStart: Double
    ) {
        switch points[index - 1].state {
        case 3:
            points[index].state = 3
        case 2:
            points.insert(Point(state: 2, time: windowStart), at: index)
            points.insert(Point(state: 3, time: windowStart), at: index + 1)
        default:
            points.insert(Point(state: 3, time: points[index].time), at: index + 1)
        }
    }

    private func awakePoints(_ packets: [TrafficPacket]) -> [EnergyBoxArithmetic.Point] {
        let timer = parameters.timer.inSeconds
        var points: [EnergyBoxArithmetic.Point] = []
        var isAwake = false
        var last = packets[0].seconds
        for packet in packets {
            let time = packet.seconds
            if isAwake, time - last > timer {
                points.append(Point(state: 2, time: last + timer))
                points.append(Point(state: 0, time: last + timer))
                isAwake = false
            }
            if !isAwake { points.append(Point(state: 0, time: time)) }
            points.append(Point(state: 2, time: time))
            isAwake = true
            last = time
        }
        points.append(Point(state: 2, time: last + timer))
        points.append(Point(state: 0, time: last + timer))
        return points
    }

    /// Bytes of both directions by window; the first sample is empty, the last takes the rest.
    private func samples(_ packets: [TrafficPacket]) -> [(time: Double, bytes: Int64)] {
        let start = packets[0].seconds
        let end = packets[packets.count - 1].seconds
        let window = parameters.window.inSeconds
        var samples: [(time: Double, bytes: Int64)] = [(start, 0)]
        var next = 0
        var count = 1
        while start + window * Double(count) < end, next < packets.count {
            let limit = start + window * Double(count)
            var bytes: Int64 = 0
            while next < packets.count, packets[next].seconds < limit {
                bytes += Int64(packets[next].size)
                next += 1
            }
            samples.append((limit, bytes))
            count += 1
        }
        let rest = packets[next...].reduce(Int64(0)) { $0 + Int64($1.size) }
        samples.append((end, rest))
        return samples
    }
}
