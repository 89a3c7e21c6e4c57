import NetworkModel
import Quantities

/// Writes a phase as tc commands with netem, upload on a device and download on `ifb0`.
package struct NetemWriter {
    /// tc's default `limit`, in packets (tc-netem(8)).
    static let defaultLimit = 1_000

    private var notes: [String]

    /// Commands for one phase of a network.
    package static func export(
        _ network: NetworkConfiguration,
        _ phase: NetworkPhase
    ) -> ExportedNetwork {
        var writer = NetemWriter(notes: ExportedNetwork.commonNotes(network, phase))
        let up = writer.options(phase.up, delay: phase.delays.up, phase, "up")
        let down = writer.options(phase.down, delay: phase.delays.down, phase, "down")
        writer.notes.append("loss: netem drops before the rate is spent, the model after it")
        let text = """
            # \(network.name.isEmpty ? "A network" : network.name), as tc commands; run them as root.
            # Upload leaves by DEV; download comes in by DEV and is shaped on ifb0.
            # To end it: tc qdisc del dev $DEV root; tc qdisc del dev $DEV ingress; ip link del ifb0
            DEV=${DEV:-eth0}
            tc qdisc replace dev $DEV root netem \(up)
            ip link add ifb0 type ifb
            ip link set dev ifb0 up
            tc qdisc replace dev $DEV handle ffff: ingress
            tc filter replace dev $DEV parent ffff: protocol all matchall action mirred egress redirect dev ifb0
            tc qdisc replace dev ifb0 root netem \(down)

            """
        return ExportedNetwork(text: text, notes: writer.notes)
    }

    private mutating func options(
        _ link: LinkDirection,
        delay: Duration,
        _ phase: NetworkPhase,
        _ name: String
    ) -> String {
        let rate = constantRate(link.rate, name)
        let reach = delay + phase.jitter
        let limit = link.queue + Self.packetsOnTheWay(.constant(rate), reach) + 1
        var parts = ["limit \(limit)"]
        // netem draws from delay - jitter to delay + jitter; the model from delay to delay + jitter.
        let half = Duration.nanoseconds(phase.jitter.wholeNanoseconds / 2)
        if delay + half > .zero {
            parts.append(
                "delay \(Self.text(delay + half))" + (half > .zero ? " \(Self.text(half))" : "")
            )
        }
        if half > .zero {
            if rate == .unlimited, !phase.reorders {
                notes.append("\(name): netem's jitter reorders packets where no rate is set")
            } else if rate != .unlimited, phase.reorders {
                notes.append("\(name): netem keeps order where a rate is set; \"reorder\" is lost")
            }
        }
        if let loss = loss(link.loss, rate, name) { parts.append(loss) }
        if rate != .unlimited { parts.append("rate \(rate.bitsPerSecond)bit") }
        return parts.joined(separator: " ")
    }

    private mutating func constantRate(_ rate: RateSchedule, _ name: String) -> BitRate {
        guard case .constant(let constant) = rate else {
            let mean = MahimahiWriter.meanRate(rate)
            notes.append(
                "\(name): netem has one rate; the mean \(mean) stands for the changing one"
            )
            return mean
        }
        return constant
    }

    private mutating func loss(_ loss: LossModel, _ rate: BitRate, _ name: String) -> String? {
        switch loss {
        case .none:
            return nil
        case .bernoulli(let chance):
            return "loss random \(Self.text(chance))"
        case .gilbertElliottByPacket(let toBad, let toGood, let inBad, let inGood):
            return "loss gemodel \(Self.text(toBad)) \(Self.text(toGood)) "
                + "\(Self.text(inBad)) \(Self.text(inGood))"
        case .gilbertElliottByTime(let good, let bad, let inGood, let inBad):
            guard rate != .unlimited, rate.bitsPerSecond > 0 else {
                notes.append(
                    "\(name): loss by time needs a rate to become loss by packet; left out"
                )
                return nil
            }
            // A full packet's time over the mean stay: the chance to leave the state at a packet.
            let packet = rate.transmissionNanoseconds(bytes: NetemReader.packetSize)
            notes.append("\(name): loss by time became loss by full packet at \(rate)")
            return "loss gemodel \(Self.text(Self.ratio(packet, good))) "
                + "\(Self.text(Self.ratio(packet, bad))) \(Self.text(inBad)) \(Self.text(inGood))"
        }
    }

    private static func ratio(_ packet: Int64, _ stay: Duration) -> Probability {
        let whole = UInt64(max(1, stay.wholeNanoseconds))
        return Probability(min(UInt64(packet), whole), of: whole)
    }

    /// Percent with at most six decimals, cut.
    static func text(_ chance: Probability) -> String {
        let (product, overflow) = chance.numerator.multipliedReportingOverflow(by: 100_000_000)
        let parts = overflow ? 0 : product / chance.denominator
        return DecimalText.text(Int64(parts), digits: 6) + "%"
    }

    private static func text(_ span: Duration) -> String {
        DecimalText.text(span.wholeNanoseconds / 1_000, digits: 3) + "ms"
    }

    /// Full packets that propagate at once at a rate: netem's `limit` counts them.
    static func packetsOnTheWay(_ rate: RateSchedule, _ delay: Duration) -> Int {
        guard case .constant(let constant) = rate, constant != .unlimited,
            constant.bitsPerSecond > 0
        else { return defaultLimit }
        let each = constant.transmissionNanoseconds(bytes: NetemReader.packetSize)
        return Int((delay.wholeNanoseconds + each - 1) / max(1, each))
    }
}
