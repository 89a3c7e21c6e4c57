import NetworkModel
import Quantities

/// Parameters of `Network.emulateNetworkConditions`: bytes per second, and milliseconds of latency.
///
/// DevTools holds a request's first byte back by `latency` at least, so it is read as the round trip.
package enum DevToolsFormat {
    /// The parameters for one phase.
    package static func export(
        _ network: NetworkConfiguration,
        _ phase: NetworkPhase
    ) -> ExportedNetwork {
        var notes = ExportedNetwork.commonNotes(network, phase)
        let throughputs = [("down", phase.down), ("up", phase.up)].map { name, link -> String in
            let rate = MahimahiWriter.meanRate(link.rate)
            if case .constant = link.rate {
            } else {
                notes.append("\(name): the mean \(rate) stands for the changing rate")
            }
            if link.loss != .none {
                notes.append("\(name) loss: not carried; packetLoss touches WebRTC alone")
            }
            // bit/s x 1,000 / 8 are thousandths of a byte/s.
            return rate == .unlimited ? "-1" : DecimalText.text(rate.bitsPerSecond * 125, digits: 3)
        }
        if phase.jitter > .zero { notes.append("jitter: not carried; DevTools has none") }
        notes.append("queues: not carried; DevTools has none")
        notes.append(
            "latency holds back each request, not each packet: handshakes cost nothing more"
        )
        let latency = DecimalText.text(phase.rtt.wholeNanoseconds, digits: 6)
        let text = """
            {
              "offline": false,
              "latency": \(latency),
              "downloadThroughput": \(throughputs[0]),
              "uploadThroughput": \(throughputs[1])
            }

            """
        return ExportedNetwork(text: text, notes: notes)
    }

    /// Reads the parameters, alone or as a whole message with `params`.
    package static func read(
        _ text: String,
        title: String
    ) throws(ExchangeError) -> ImportedNetwork {
        let root = try JSONFields.parse(text)
        let object = root["params"] ?? root
        let fields = JSONFields(object)
        guard object["downloadThroughput"] != nil || fields.flag("offline") else {
            throw ExchangeError(
                line: object.location.line,
                "there is no \"downloadThroughput\"",
                remedy: "give the parameters of Network.emulateNetworkConditions"
            )
        }
        var network = ImportedNetwork(
            title: title,
            source: "Chrome DevTools Protocol, Network.emulateNetworkConditions (bytes a second)"
        )
        network.isOffline = fields.flag("offline")
        let latency = try fields.millionths("latency") ?? 0
        network.oneWay = (.nanoseconds(latency - latency / 2), .nanoseconds(latency / 2))
        if latency % 2 != 0 { network.oneWay.down = network.oneWay.up }
        for (key, isDown) in [("downloadThroughput", true), ("uploadThroughput", false)] {
            // -1 and 0 switch the limit off.
            guard !fields.isNegative(key), let bytes = try fields.millionths(key), bytes > 0 else {
                continue
            }
            let rate = RateSchedule.constant(BitRate(bitsPerSecond: bytes / 125_000))
            if isDown { network.down.rate = rate } else { network.up.rate = rate }
        }
        network.notes.append(
            "latency holds back each request in DevTools; here it is the round trip"
        )
        for key in ["packetLoss", "packetQueueLength", "packetReordering"]
        where object[key] != nil {
            network.notes.append("\(key): not carried; it touches WebRTC alone")
        }
        return network
    }
}
