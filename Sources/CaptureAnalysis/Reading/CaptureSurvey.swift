import PacketCapture

/// An interface that a capture was made on.
package struct CapturedInterface: Equatable, Sendable {
    /// Such as "en0"; empty where the file does not say.
    package var name: String
    /// Free text; captures of this project name the radio in it.
    package var description: String
}

/// The first pass over a capture: how much there is, when, and who the device is.
///
/// Memory grows with the number of addresses, not of packets.
final class CaptureSurvey: CaptureVisitor {
    private(set) var packets = 0
    private(set) var undecoded = 0
    private(set) var first: Int64?
    private(set) var last: Int64?
    private(set) var spanStart: Int64?
    private(set) var spanEnd: Int64?
    private(set) var interfaces: [CapturedInterface] = []
    private(set) var names: [IPAddress: String] = [:]
    private(set) var goesBack = false
    private(set) var apps: [String: Int] = [:]
    private(set) var linkTypes: [Int32: Int] = [:]

    private var synSources: [IPAddress: Int] = [:]
    private var synTargets: [IPAddress: Int] = [:]
    private var lookupSources: [IPAddress: Int] = [:]
    private var outboundSources: [IPAddress: Int] = [:]
    private var addresses: [IPAddress: Int] = [:]
    private var previous: Int64 = .min
    private let progress: (Int64) -> Void

    init(progress: @escaping (Int64) -> Void) {
        self.progress = progress
    }

    func visit(_ frame: CapturedFrame) {
        first = min(first ?? frame.nanoseconds, frame.nanoseconds)
        last = max(last ?? frame.nanoseconds, frame.nanoseconds)
        if frame.nanoseconds < previous { goesBack = true }
        previous = frame.nanoseconds
        guard let packet = FrameDecoder.decode(frame) else {
            undecoded += 1
            linkTypes[frame.linkType.rawValue, default: 0] += 1
            return
        }
        packets += 1
        if !packet.app.isEmpty, apps.count < 10_000 || apps[packet.app] != nil {
            apps[packet.app, default: 0] += 1
        }
        count(packet.source, in: &addresses)
        count(packet.destination, in: &addresses)
        if packet.isTCP, packet.flags & 0x12 == 0x02 {
            count(packet.source, in: &synSources)
            count(packet.destination, in: &synTargets)
        }
        if packet.isUDP, packet.destinationPort == 53 { count(packet.source, in: &lookupSources) }
        if packet.direction == .outbound { count(packet.source, in: &outboundSources) }
    }

    func visitInterface(_ index: Int, name: String, description: String, linkType: LinkType) {
        guard index == interfaces.count, interfaces.count < 256 else { return }
        interfaces.append(CapturedInterface(name: name, description: description))
    }

    func visitName(_ name: String, of address: IPAddress) {
        if names.count < 100_000 { names[address] = name }
    }

    func visitSpan(ofInterface index: Int, start: Int64?, end: Int64?) {
        if let start { spanStart = min(spanStart ?? start, start) }
        if let end { spanEnd = max(spanEnd ?? end, end) }
    }

    func visitProgress(bytes: Int64) {
        progress(bytes)
    }

    /// The device's addresses, by the strongest evidence that there is; in order.
    ///
    /// Who opens connections; else whose packets were marked as outgoing; else who asks for names;
    /// else the most frequent address.
    var deviceAddresses: [IPAddress] {
        let openers = synSources.filter { synTargets[$0.key, default: 0] < $0.value }
        for candidates in [openers, outboundSources, lookupSources] where !candidates.isEmpty {
            return candidates.keys.sorted()
        }
        let most = addresses.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return most.map { [$0.key] } ?? []
    }

    private func count(_ address: IPAddress, in table: inout [IPAddress: Int]) {
        if table.count < 100_000 || table[address] != nil { table[address, default: 0] += 1 }
    }
}
