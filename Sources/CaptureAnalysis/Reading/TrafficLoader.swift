import PacketCapture
import Quantities
import Trace

/// The second pass over a capture: packets with direction, label and owner.
final class TrafficLoader: CaptureVisitor {
    private var collector: PacketCollector
    private(set) var owners = OwnerTable()
    private(set) var connections = ConnectionCount()
    /// Packets of apps that were not asked for, or outside of the device's traffic.
    private(set) var leftOut = 0
    private(set) var undecoded = 0

    /// What times are counted from; EnergyBox counts from the first packet that it takes.
    private var start: Int64?
    private let devices: Set<IPAddress>
    private let app: String?
    private let countsFrames: Bool
    private var names: [IPAddress: String]
    private var flows: [FlowKey: Flow] = [:]
    private var lastFlow: (key: FlowKey, flow: Flow)?
    private let progress: (Int64) -> Void

    /// One connection, or a pair of addresses for what has no ports.
    private final class Flow {
        var owner: Int32
        var labeler = TCPLabeler()
        var hasName = false
        var hasRequest = false
        var isOpen = false
        /// Whether the first packet went up, where nothing else tells directions.
        let firstSource: IPAddress

        init(owner: Int32, firstSource: IPAddress) {
            self.owner = owner
            self.firstSource = firstSource
        }
    }

    /// Flows are forgotten when there are more: a packet after that begins a new one.
    private static let mostFlows = 200_000

    init(
        survey: CaptureSurvey,
        devices: [IPAddress],
        app: String?,
        countsFrames: Bool,
        start: Int64?,
        packetsInMemory: Int,
        progress: @escaping (Int64) -> Void
    ) {
        self.start = start
        self.devices = Set(devices)
        self.app = app
        self.countsFrames = countsFrames
        self.progress = progress
        names = survey.names
        collector = PacketCollector(ordersByTime: !countsFrames, run: packetsInMemory)
    }

    func visit(_ frame: CapturedFrame) {
        guard let packet = FrameDecoder.decode(frame) else {
            undecoded += 1
            return
        }
        if let app, packet.app != app {
            leftOut += 1
            return
        }
        let isUp = self.isUp(packet)
        let flow = self.flow(of: packet, isUp: isUp)
        var label = TCPLabel.none
        if packet.isTCP {
            label = flow.labeler.label(packet, isUp: isUp)
            follow(packet, flow)
        }
        read(packet, isUp: isUp, flow)
        let start = self.start ?? frame.nanoseconds
        self.start = start
        collector.append(
            TrafficPacket(
                time: frame.nanoseconds &- start,
                isUp ? .up : .down,
                size: Int32(clamping: countsFrames ? frame.originalLength : packet.size),
                payload: Int32(clamping: packet.payloadLength),
                label: label,
                owner: flow.owner,
                interface: UInt8(clamping: frame.interface)
            )
        )
    }

    func visitProgress(bytes: Int64) {
        progress(bytes)
    }

    /// Hands the packets over: in order of time, or in the order of the file for EnergyBox.
    func takePackets() throws(PacketFileError) -> TrafficPackets { try collector.finish() }

    private func isUp(_ packet: DecodedPacket) -> Bool {
        let isFromDevice = devices.contains(packet.source)
        if isFromDevice != devices.contains(packet.destination) { return isFromDevice }
        if let direction = packet.direction { return direction == .outbound }
        if let last = lastFlow, last.key == FlowKey(packet, isUp: false) { return false }
        // Neither end is the device: who spoke first is taken for it.
        return flows[FlowKey(packet, isUp: false)] == nil
    }

    private func flow(of packet: DecodedPacket, isUp: Bool) -> Flow {
        let key = FlowKey(packet, isUp: isUp)
        let begins = packet.isTCP && packet.flags & 0x12 == 0x02
        if let last = lastFlow, last.key == key, !begins { return last.flow }
        if let known = flows[key], !begins || known.isOpen == false && known.hasName == false {
            lastFlow = (key, known)
            return known
        }
        if flows.count >= Self.mostFlows { flows.removeAll(keepingCapacity: true) }
        let host = names[key.far] ?? key.far.description
        let flow = Flow(owner: owners.add(TrafficOwner(host: host)), firstSource: packet.source)
        flows[key] = flow
        lastFlow = (key, flow)
        return flow
    }

    private func follow(_ packet: DecodedPacket, _ flow: Flow) {
        if packet.flags & 2 != 0, !flow.isOpen {
            flow.isOpen = true
            connections.opened(to: packet.flags & 0x10 == 0 ? packet.destination : packet.source)
        } else if packet.flags & 5 != 0, flow.isOpen {
            flow.isOpen = false
            connections.closed(to: packet.source, or: packet.destination)
        }
    }

    /// Learns names from a payload and moves the flow to the owner that it shows.
    private func read(_ packet: DecodedPacket, isUp: Bool, _ flow: Flow) {
        guard packet.payload.count > 12 else { return }
        if packet.isUDP, packet.sourcePort == 53 || packet.destinationPort == 53 {
            guard let answer = NameAnswer(packet.payload) else { return }
            if packet.sourcePort == 53, names.count < 100_000 {
                for address in answer.addresses { names[address] = answer.name }
            }
            if !flow.hasName {
                flow.hasName = true
                owners.rename(flow.owner, TrafficOwner(host: answer.name, path: "DNS"))
            }
            return
        }
        guard packet.isTCP, isUp else { return }
        if let request = PayloadReader.request(packet.payload) {
            let host = request.host ?? owners[flow.owner].host
            let owner = TrafficOwner(host: host, path: "\(request.method) \(request.path)")
            if flow.hasRequest {
                if owners[flow.owner] != owner { flow.owner = owners.add(owner) }
            } else {
                owners.rename(flow.owner, owner)
            }
            flow.hasRequest = true
            flow.hasName = true
        } else if !flow.hasName, let name = PayloadReader.serverName(packet.payload) {
            flow.hasName = true
            owners.rename(flow.owner, TrafficOwner(host: name))
        }
    }
}

/// How many connections were open at once.
struct ConnectionCount {
    /// To all servers together.
    private(set) var most = 0
    /// To the server with most.
    private(set) var mostToOne = 0
    private var open = 0
    private var openTo: [IPAddress: Int] = [:]

    mutating func opened(to server: IPAddress) {
        open += 1
        most = max(most, open)
        openTo[server, default: 0] += 1
        mostToOne = max(mostToOne, openTo[server, default: 0])
    }

    mutating func closed(to one: IPAddress, or other: IPAddress) {
        guard open > 0 else { return }
        open -= 1
        for address in [one, other] where openTo[address, default: 0] > 0 {
            openTo[address, default: 0] -= 1
            if openTo[address] == 0 { openTo[address] = nil }
            return
        }
    }
}
