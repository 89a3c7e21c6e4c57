import NetworkModel
import Quantities

/// What a tool's file says of a link in our terms, and what of it could not be carried over.
package struct ImportedNetwork: Equatable, Sendable {
    /// One direction as the file has it.
    package struct Direction: Equatable, Sendable {
        /// How fast, unless a trace says it.
        package var rate = RateSchedule.constant(.unlimited)
        /// The file of delivery opportunities or rates, as the network is to name it.
        package var trace: String?
        /// Packets that may wait; nil leaves it to the reader.
        package var queue: Int?
        /// What is lost.
        package var loss = LossModel.none

        /// Makes a direction without limits.
        package init() {}
    }

    /// First line of the file.
    package var title: String
    /// Where the figures come from.
    package var source: String
    package var down = Direction()
    package var up = Direction()
    /// Propagation toward the phone and from it.
    package var oneWay: (down: Duration, up: Duration) = (.zero, .zero)
    /// Uniform from zero to this, each way.
    package var jitter: Duration = .zero
    /// Whether jitter changes the order of packets.
    package var reorders = false
    /// A name lookup that is not cached.
    package var dns: Duration = .zero
    /// The path has no route at all.
    package var isOffline = false
    /// Fields that are guesses.
    package var unverified: [String] = []
    /// One sentence for each part that is not carried over, or not exactly.
    package var notes: [String] = []

    /// Makes a network without limits, delay or loss.
    package init(title: String, source: String) {
        self.title = title
        self.source = source
    }

    package static func == (left: ImportedNetwork, right: ImportedNetwork) -> Bool {
        left.fileText == right.fileText && left.notes == right.notes
    }

    /// A file of `profiles/networks`.
    package var fileText: String {
        var lines = ["  \"onebar\": 1", "  \"source\": \(JSONText.quoted(source))"]
        if !unverified.isEmpty {
            lines.append(
                "  \"unverified\": [\(unverified.map(JSONText.quoted).joined(separator: ", "))]"
            )
        }
        let head = lines.joined(separator: ",\n")
        var body = [
            "  \"down\": \(Self.text(of: down))", "  \"up\": \(Self.text(of: up))",
        ]
        if oneWay.down == oneWay.up {
            body.append("  \"rtt\": \(Self.text(oneWay.down + oneWay.up))")
        } else {
            let (down, up) = (Self.text(oneWay.down), Self.text(oneWay.up))
            body.append("  \"one_way\": { \"down\": \(down), \"up\": \(up) }")
        }
        if jitter > .zero { body.append("  \"jitter\": \(Self.text(jitter))") }
        if reorders { body.append("  \"reorder\": true") }
        if dns > .zero { body.append("  \"dns\": \(Self.text(dns))") }
        if isOffline {
            body.append("  \"dead_zones\": [{ \"at\": \"0s\", \"for\": \"36500d\" }]")
        }
        return "// \(title)\n{\n\(head),\n\n\(body.joined(separator: ",\n"))\n}\n"
    }

    // MARK: Text

    private static func text(of direction: Direction) -> String {
        let rest =
            (direction.queue.map { ["\"queue\": \($0)"] } ?? [])
            + (direction.loss == .none ? [] : ["\"loss\": \(text(direction.loss))"])
        if let trace = direction.trace {
            let members = ["\"trace\": \(JSONText.quoted(trace))"] + rest
            return "{ \(members.joined(separator: ", ")) }"
        }
        let rate = text(direction.rate)
        guard !rest.isEmpty else { return rate }
        return "{ " + (["\"rate\": \(rate)"] + rest).joined(separator: ", ") + " }"
    }

    private static func text(_ rate: RateSchedule) -> String {
        switch rate {
        case .constant(let rate):
            return JSONText.quoted(text(rate))
        case .steps(let steps), .repeatedSteps(let steps, _):
            let parts = steps.map {
                "{ \"from\": \(text($0.from)), \"rate\": \(JSONText.quoted(text($0.rate))) }"
            }
            return "[\(parts.joined(separator: ", "))]"
        case .opportunities:
            preconditionFailure("delivery opportunities stand in a trace of their own")
        }
    }

    static func text(_ rate: BitRate) -> String {
        if rate == .unlimited { return "unlimited" }
        let bits = rate.bitsPerSecond
        if bits >= 1_000_000, bits % 1_000 == 0 {
            return DecimalText.text(bits, digits: 6) + "Mbps"
        }
        return bits >= 1_000 ? DecimalText.text(bits, digits: 3) + "kbps" : "\(bits)bps"
    }

    private static func text(_ span: Duration) -> String {
        JSONText.quoted(DecimalText.text(span.wholeNanoseconds, digits: 6) + "ms")
    }

    private static func text(_ loss: LossModel) -> String {
        switch loss {
        case .none:
            return JSONText.quoted("0%")
        case .bernoulli(let chance):
            return JSONText.quoted(chance.description)
        case .gilbertElliottByTime(let good, let bad, let inGood, let inBad):
            return "{ \"model\": \"gilbert-elliott\", \"good\": \(text(good)), "
                + "\"bad\": \(text(bad)), \"loss_in_bad\": \(JSONText.quoted(inBad.description)), "
                + "\"loss_in_good\": \(JSONText.quoted(inGood.description)) }"
        case .gilbertElliottByPacket(let toBad, let toGood, let inBad, let inGood):
            return "{ \"model\": \"gilbert-elliott\", "
                + "\"to_bad\": \(JSONText.quoted(toBad.description)), "
                + "\"to_good\": \(JSONText.quoted(toGood.description)), "
                + "\"loss_in_bad\": \(JSONText.quoted(inBad.description)), "
                + "\"loss_in_good\": \(JSONText.quoted(inGood.description)) }"
        }
    }
}
