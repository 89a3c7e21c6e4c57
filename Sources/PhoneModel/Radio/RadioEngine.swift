import Quantities
import Trace

/// One radio: takes its uses in order of time and gives back the stretches of its states.
///
/// The same engine drives the simulated phone and reads captures, so that both agree. Cost: constant
/// for each use. Uses must come in order; one that lies before its predecessor is taken at that.
package final class RadioEngine {
    /// The radio.
    package let model: RadioModel
    private var chain: ChainMachine?
    private var shared: SharedChannelMachine?
    private var buffered: BufferedChannelMachine?
    private var powerSave: PowerSaveMachine?
    private var ledger: RadioLedger

    /// The owner number of what is drawn while no owner keeps the radio up.
    package static let idleOwner = RadioLedger.idleOwner

    /// Makes a radio that is idle at time zero.
    package init(_ model: RadioModel, edges: RadioEdges = .exact) {
        self.model = model
        ledger = RadioLedger(states: model.states, slope: model.slope)
        switch model.machine {
        case .chain(let parameters): chain = ChainMachine(parameters, edges: edges)
        case .sharedChannel(let parameters): shared = SharedChannelMachine(parameters, edges: edges)
        case .bufferedChannel(let parameters):
            buffered = BufferedChannelMachine(parameters, edges: edges)
        case .powerSave(let parameters): powerSave = PowerSaveMachine(parameters, edges: edges)
        }
    }

    /// Takes the next packet or activity.
    package func take(_ use: RadioUse) {
        chain?.take(use, &ledger)
        shared?.take(use, &ledger)
        buffered?.take(use, &ledger)
        powerSave?.take(use, &ledger)
    }

    /// Draws what is left up to `end` and closes the last stretch; nothing may be taken after it.
    package func finish(at end: RadioTime) {
        chain?.finish(at: end, &ledger)
        shared?.finish(at: end, &ledger)
        buffered?.finish(at: end, &ledger)
        powerSave?.finish(at: end, &ledger)
        ledger.close()
    }

    /// Hands over the stretches that have closed since the last call, in order of time.
    package func takeClosed() -> [RadioStretch] {
        guard !ledger.closed.isEmpty else { return [] }
        defer { ledger.closed.removeAll(keepingCapacity: true) }
        return ledger.closed
    }

    /// What the radio is doing at `time`, which is not before the last use, and what a packet meets.
    func phase(at time: RadioTime, _ direction: PacketDirection, bytes: Int64) -> RadioPhase {
        if let chain { return chain.phase(at: time) }
        if let shared { return shared.phase(at: time, direction, bytes: bytes) }
        if let buffered { return buffered.phase(at: time, direction, bytes: bytes) }
        return powerSave?.phase(at: time) ?? RadioPhase(state: 0)
    }

    /// How long the radio stays up after a promotion that no packet has followed yet.
    var hold: Duration {
        switch model.machine {
        case .chain(let parameters):
            parameters.tail.prefix { $0.resume == nil }.reduce(.zero) { $0 + $1.duration }
        case .sharedChannel(let parameters): parameters.dchTimer
        case .bufferedChannel(let parameters): parameters.fachTimer
        case .powerSave(let parameters): parameters.timer
        }
    }
}
