import Quantities
import SimulationKernel

/// Decides which packets of one direction are lost, with random streams of its own.
final class LossProcess {
    private let model: LossModel
    private var lossDraws: RandomStream
    private var stateDraws: RandomStream
    private var isBad = false
    private var stateEnds: Int64

    /// Begins a model in its good state.
    init(_ model: LossModel, lossDraws: RandomStream, stateDraws: RandomStream, at start: Int64) {
        self.model = model
        self.lossDraws = lossDraws
        self.stateDraws = stateDraws
        stateEnds = start
        if case .gilbertElliottByTime(let goodMean, _, _, _) = model {
            stateEnds += self.stateDraws.exponential(mean: goodMean).wholeNanoseconds
        }
    }

    /// Goes on with another model, from its good state, on the same streams.
    func continued(with model: LossModel, at instant: Int64) -> LossProcess {
        LossProcess(model, lossDraws: lossDraws, stateDraws: stateDraws, at: instant)
    }

    /// Whether the packet that leaves the bottleneck at `instant` is lost.
    ///
    /// By packet, the loss is that of the state before this packet's step, as in netem: the
    /// transition is drawn first, then the loss.
    func loses(at instant: Int64) -> Bool {
        switch model {
        case .none:
            return false
        case .bernoulli(let chance):
            return lossDraws.happens(chance)
        case .gilbertElliottByTime(let goodMean, let badMean, let lossInGood, let lossInBad):
            while stateEnds <= instant {
                isBad.toggle()
                let mean = isBad ? badMean : goodMean
                stateEnds += max(1, stateDraws.exponential(mean: mean).wholeNanoseconds)
            }
            return lossDraws.happens(isBad ? lossInBad : lossInGood)
        case .gilbertElliottByPacket(let toBad, let toGood, let lossInBad, let lossInGood):
            let chance = isBad ? lossInBad : lossInGood
            if stateDraws.happens(isBad ? toGood : toBad) { isBad.toggle() }
            return lossDraws.happens(chance)
        }
    }
}
