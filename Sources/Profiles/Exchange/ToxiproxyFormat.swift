import NetworkModel
import Quantities

/// Toxics of toxiproxy: the bodies of `POST /proxies/NAME/toxics`, as an array.
///
/// Units are toxiproxy's: latency in ms in one direction, rate in KB/s of 1,000 bytes.
package enum ToxiproxyFormat {
    // MARK: Writing

    /// An array of toxics for one phase.
    package static func export(
        _ network: NetworkConfiguration,
        _ phase: NetworkPhase
    ) -> ExportedNetwork {
        var notes = ExportedNetwork.commonNotes(network, phase)
        var toxics: [String] = []
        let delays = phase.delays
        let directions = [
            ("downstream", phase.down, delays.down.wholeNanoseconds),
            ("upstream", phase.up, delays.up.wholeNanoseconds),
        ]
        for (stream, link, delay) in directions {
            let jitter = phase.jitter.wholeNanoseconds / 2
            let milliseconds = rounded(delay + jitter, by: 1_000_000)
            let spread = rounded(jitter, by: 1_000_000)
            if milliseconds * 1_000_000 != delay + jitter || spread * 1_000_000 != jitter {
                notes.append("\(stream) latency: rounded to whole milliseconds")
            }
            if milliseconds > 0 {
                toxics.append(
                    toxic("latency", stream, [("latency", milliseconds), ("jitter", spread)])
                )
            }
            let rate = MahimahiWriter.meanRate(link.rate)
            if case .constant = link.rate {
            } else {
                notes.append("\(stream) rate: the mean \(rate) stands for the changing one")
            }
            if rate != .unlimited {
                let kilobytes = max(1, rounded(rate.bitsPerSecond, by: 8_000))
                if kilobytes * 8_000 != rate.bitsPerSecond {
                    notes.append("\(stream) rate: \(rate) became \(kilobytes) KB/s")
                }
                toxics.append(toxic("bandwidth", stream, [("rate", kilobytes)]))
            }
            if link.loss != .none {
                notes.append("\(stream) loss: not carried; toxiproxy has a stream, not packets")
            }
        }
        notes.append("queues: not carried; toxiproxy has none")
        notes.append("rates hold for each connection alone, not for all together")
        if phase.reorders { notes.append("reorder: not carried; a stream keeps its order") }
        notes.append(
            "set them with: jq -c '.[]' FILE | while read -r toxic; do "
                + "curl -d \"$toxic\" localhost:8474/proxies/NAME/toxics; done"
        )
        let body = toxics.map { "  " + $0 }.joined(separator: ",\n")
        return ExportedNetwork(text: toxics.isEmpty ? "[]\n" : "[\n\(body)\n]\n", notes: notes)
    }

    private static func rounded(_ value: Int64, by unit: Int64) -> Int64 {
        (value + unit / 2) / unit
    }

    private static func toxic(
        _ type: String,
        _ stream: String,
        _ attributes: [(String, Int64)]
    ) -> String {
        let list = attributes.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
        return
            "{ \"name\": \"\(type)_\(stream)\", \"type\": \"\(type)\", \"stream\": \"\(stream)\", "
            + "\"toxicity\": 1.0, \"attributes\": { \(list) } }"
    }

    // MARK: Reading

    /// Reads an array of toxics, a proxy that has some, or the map of `GET /proxies` with one proxy.
    package static func read(
        _ text: String,
        title: String
    ) throws(ExchangeError) -> ImportedNetwork {
        let root = try JSONFields.parse(text)
        var network = ImportedNetwork(title: title, source: "toxics of toxiproxy")
        var spreads: [Duration] = []
        for toxic in try toxics(root) {
            try read(toxic, into: &network, spreads: &spreads)
        }
        network.jitter = spreads.max() ?? .zero
        if Set(spreads).count > 1 || (spreads.count == 1 && network.jitter > .zero) {
            network.notes.append(
                "jitter differs by direction; both get \(network.jitter.compactText)"
            )
        }
        network.notes.append("toxiproxy's rate is for each connection, here for all together")
        return network
    }

    private static func toxics(_ root: JSONCValue) throws(ExchangeError) -> [JSONCValue] {
        if let elements = root.elements { return elements }
        if let nested = root["toxics"]?.elements { return nested }
        let proxies = (root.members ?? []).filter { $0.value["toxics"] != nil }
        guard proxies.count == 1, let only = proxies[0].value["toxics"]?.elements else {
            throw ExchangeError(
                line: root.location.line,
                proxies.isEmpty
                    ? "there are no toxics" : "\(proxies.count) proxies have toxics",
                remedy: "give the toxics of one proxy: curl localhost:8474/proxies/NAME/toxics"
            )
        }
        return only
    }

    private static func read(
        _ toxic: JSONCValue,
        into network: inout ImportedNetwork,
        spreads: inout [Duration]
    ) throws(ExchangeError) {
        let fields = JSONFields(toxic)
        guard let type = toxic["type"]?.string else {
            throw ExchangeError(
                line: toxic.location.line,
                "a toxic has no \"type\"",
                remedy: "one of: latency, bandwidth, …"
            )
        }
        let stream = toxic["stream"]?.string ?? "downstream"
        guard stream == "downstream" || stream == "upstream" else {
            throw ExchangeError(
                line: toxic.location.line,
                "the stream \"\(stream)\" is neither downstream nor upstream",
                remedy: "write one of them"
            )
        }
        let isDown = stream == "downstream"
        if let toxicity = try fields.millionths("toxicity"), toxicity < 1_000_000 {
            network.notes.append(
                "toxicity \(DecimalText.text(toxicity, digits: 6)) of \(type): taken as 1; "
                    + "the link is the same for all connections"
            )
        }
        let attributes = JSONFields(toxic["attributes"] ?? toxic)
        switch type {
        case "latency":
            let latency = try attributes.millionths("latency") ?? 0
            let spread = min(latency, try attributes.millionths("jitter") ?? 0)
            // Millionths of a millisecond are nanoseconds. Toxiproxy draws latency +- jitter.
            let base = Duration.nanoseconds(latency - spread)
            if isDown { network.oneWay.down += base } else { network.oneWay.up += base }
            spreads.append(.nanoseconds(spread * 2))
        case "bandwidth":
            let rate = BitRate(bitsPerSecond: (try attributes.millionths("rate") ?? 0) * 8 / 1_000)
            if isDown {
                network.down.rate = .constant(rate)
            } else {
                network.up.rate = .constant(rate)
            }
        default:
            network.notes.append("\(type): not carried; say it as a fault of the profile")
        }
    }
}
