import CaptureAnalysis
import NetworkModel
import PacketCapture
import Profiles
import Quantities
import Trace

/// What a capture lets one guess of the link that it was taken on.
enum CaptureEstimate {
    /// A second, in nanoseconds: the window of the busiest rate.
    private static let window: Int64 = 1_000_000_000
    /// A second with fewer bits than 20 full packets says nothing of the link: an assumption.
    private static let leastBits: Int64 = 20 * 1_500 * 8
    /// A handshake that takes longer was answered after a retransmission: 1 s is TCP's first timeout.
    private static let longestHandshake: Int64 = 1_000_000_000

    /// Reads a capture; rates are lower bounds, the round trip is the least that was seen.
    static func network(
        _ file: String,
        title: String,
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws(ExchangeError) -> ImportedNetwork {
        var options = CaptureOptions()
        for text in arguments.all("--device-address") {
            guard let address = IPAddress(text: text) else {
                throw ExchangeError(
                    "--device-address '\(text)' is no IP address",
                    remedy: "write it as 10.0.0.2"
                )
            }
            options.deviceAddresses.append(address)
        }
        let input: CaptureInput
        do throws(CaptureError) {
            input = try CaptureInput.read(
                path: ExchangeFiles.path(file, context),
                options: options
            )
        } catch {
            if error.kind == .missing { throw .missingFile }
            throw ExchangeError(error.problem, remedy: error.remedy)
        }
        return estimate(input.traffic, title: title)
    }

    /// Estimates from packets in order of time.
    static func estimate(_ traffic: Traffic, title: String) -> ImportedNetwork {
        var network = ImportedNetwork(
            title: title,
            source: "estimated from a capture: least handshake, busiest second of each direction"
        )
        network.unverified = ["down", "up", "rtt"]
        for direction in [PacketDirection.down, .up] {
            let rate = busiest(traffic.packets.filter { $0.direction == direction })
            let name = direction == .down ? "down" : "up"
            if rate >= leastBits {
                let schedule = BitRate(bitsPerSecond: rate)
                if direction == .down {
                    network.down.rate = .constant(schedule)
                } else {
                    network.up.rate = .constant(schedule)
                }
                network.notes.append("\(name) \(schedule): what was used, at most what there was")
            } else {
                network.notes.append(
                    "\(name): no limit, for no second had 30 kB: capture a big transfer"
                )
            }
        }
        if let rtt = leastHandshake(traffic.packets) {
            network.oneWay = (.nanoseconds(rtt - rtt / 2), .nanoseconds(rtt / 2))
            network.notes.append("rtt: the least of the TCP handshakes, the radio's wake-up in it")
        } else {
            network.notes.append("rtt: no TCP handshake was captured; 0 stands for it, see --rtt")
        }
        let data = traffic.packets.count { $0.direction == .down && $0.label == .data }
        let again = traffic.packets.count { $0.direction == .down && $0.label == .dataRecover }
        if again > 0 {
            network.notes.append(
                "loss: \(again) of \(data + again) packets down filled a gap; set \"loss\" by hand"
            )
        }
        return network
    }

    /// Bits in the busiest second that begins with a packet.
    private static func busiest(_ packets: [TrafficPacket]) -> Int64 {
        var best: Int64 = 0
        var sum: Int64 = 0
        var first = 0
        for packet in packets {
            sum += Int64(packet.size) * 8
            while packet.time - packets[first].time >= window {
                sum -= Int64(packets[first].size) * 8
                first += 1
            }
            best = max(best, sum)
        }
        return best
    }

    /// From a SYN of the phone to the first answer to one.
    private static func leastHandshake(_ packets: TrafficPackets) -> Int64? {
        var asked: [Int64] = []
        var least: Int64?
        for packet in packets where packet.label == .establish {
            if packet.direction == .up {
                asked.append(packet.time)
            } else if let time = asked.last {
                asked.removeLast()
                let span = packet.time - time
                if span > 0, span < longestHandshake { least = min(least ?? span, span) }
            }
        }
        return least
    }
}
