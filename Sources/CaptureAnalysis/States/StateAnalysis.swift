import PhoneModel
import Quantities
import Trace

/// Assigns radio states to a trace by the arithmetic of a mode.
package struct StateAnalysis {
    /// The radio.
    package let model: RadioModel
    /// Whose arithmetic.
    package let mode: AnalysisMode

    /// Makes an analysis.
    package init(_ model: RadioModel, mode: AnalysisMode = .exact) {
        self.model = model
        self.mode = mode
    }

    /// Runs the engine over a trace and hands every closed stretch to `body`, in order of time.
    ///
    /// Memory does not grow with the trace.
    package func forEachStretch(_ traffic: Traffic, _ body: (RadioStretch) -> Void) {
        forEachStretch(traffic.packets, length: traffic.length, body)
    }

    /// Runs the engine over packets in order of time up to `length` nanoseconds.
    func forEachStretch(
        _ packets: some Sequence<TrafficPacket>,
        length: Int64,
        _ body: (RadioStretch) -> Void
    ) {
        let engine = RadioEngine(model, edges: .binary)
        for packet in packets where packet.time <= length {
            engine.take(packet.use)
            for stretch in engine.takeClosed() { body(stretch) }
        }
        engine.finish(at: RadioTime(nanoseconds: length))
        for stretch in engine.takeClosed() { body(stretch) }
    }

    /// The whole state list, with energies by the mode; memory grows with the trace.
    package func ranges(_ traffic: Traffic) -> [StateRange] {
        switch mode {
        case .exact:
            return exactRanges(traffic)
        case .energybox:
            return EnergyBoxArithmetic(model: model).ranges(traffic)
        case .aro411, .vo46:
            let arithmetic = ToolArithmetic(
                mode: mode,
                model: model,
                packets: Array(traffic.packets)
            )
            let names = model.states.map(\.name)
            return toolRanges(traffic).map { range in
                let (start, end) = (range.start.seconds, range.end.seconds)
                return StateRange(
                    state: names[range.state],
                    start: start,
                    end: end,
                    joules: arithmetic.joules(range.state, from: start, to: end)
                )
            }
        }
    }

    /// Whether a promotion that takes no time is left out of lists: the tools know none for Wi-Fi.
    private func isShown(_ state: Int, _ start: RadioTime, _ end: RadioTime) -> Bool {
        guard case .chain(let parameters) = model.machine, state == 1 else { return true }
        return parameters.promotion.delay > .zero || start != end
    }

    private func exactRanges(_ traffic: Traffic) -> [StateRange] {
        let states = model.states
        var ranges: [StateRange] = []
        forEachStretch(traffic) { stretch in
            guard isShown(stretch.state, stretch.start, stretch.end) else { return }
            ranges.append(
                StateRange(
                    state: states[stretch.state].name,
                    start: stretch.start.seconds,
                    end: stretch.end.seconds,
                    joules: stretch.energy.inJoules
                )
            )
        }
        return ranges
    }

    func toolRanges(_ traffic: Traffic) -> [RadioRange] {
        let end = RadioTime(nanoseconds: traffic.length)
        if case .sharedChannel(var parameters) = model.machine {
            if mode == .vo46 {
                // Defect 1: the maximum is stored into the mean, and stays zero itself.
                parameters.fachPromotion.mean = parameters.fachPromotion.most
                parameters.fachPromotion.most = .zero
            }
            return parameters.toolRanges(traffic.packets.map(\.use), end: end)
        }
        var ranges: [RadioRange] = []
        forEachStretch(traffic) { stretch in
            guard isShown(stretch.state, stretch.start, stretch.end) else { return }
            ranges.append(
                RadioRange(state: stretch.state, start: stretch.start, end: stretch.end)
            )
        }
        return ranges
    }
}

extension TrafficPacket {
    /// The packet as a radio engine takes it.
    package var use: RadioUse {
        RadioUse(
            at: RadioTime(nanoseconds: time),
            direction,
            bytes: Int64(size),
            owner: owner
        )
    }
}

extension StateAnalysis {
    /// EnergyBox's step function: its own state codes and times in seconds, in the order of the tool.
    package func energyBoxPoints(_ traffic: Traffic) -> [(state: Int, time: Double)] {
        EnergyBoxArithmetic(model: model).points(Array(traffic.packets)).map { ($0.state, $0.time) }
    }

    /// The energy under that step function, in joules; negative spans are kept as the tool keeps them.
    package func energyBoxJoules(_ traffic: Traffic) -> Double {
        let arithmetic = EnergyBoxArithmetic(model: model)
        return arithmetic.joules(arithmetic.points(Array(traffic.packets)))
    }
}
