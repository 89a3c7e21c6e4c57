import PacketCapture
import PhoneModel
import Quantities
import Trace

/// Writes what a simulated modem sent and received as pcapng.
///
/// One interface for each radio, described with the radio's name, so that an analysis finds it. Each
/// packet has the instant of its crossing of the air; one that caused a 3G promotion has that of its
/// hand-over (DESIGN 4). Statistics blocks carry the beginning and the end of the run. Memory: the
/// packets of ten seconds, which wait for others that are stamped earlier.
package final class CaptureWriter: ObservationSink {
    /// When a capture shows a packet that crosses now; asked while its crossing is observed.
    package typealias Stamp = (RadioInterface, PacketCrossing, SimulationInstant) ->
        SimulationInstant

    private let writer: BlockCaptureWriter
    private let device: Int
    private let stamp: Stamp
    private var interfaces: [RadioInterface: Int] = [:]
    private var counts: [Int: UInt64] = [:]
    private var selected: RadioInterface
    private var address = 1
    private var connections: [Int64: Connection] = [:]
    private var waiting: [Waiting] = []
    private var identification: UInt16 = 0
    private var failure: CaptureError?

    private struct Waiting {
        let at: Int64
        let interface: Int
        let crossing: PacketCrossing
        let ends: PacketWriter.Ends
        let milliseconds: UInt32
        let echo: UInt32
        let identification: UInt16
    }

    private struct Connection {
        var address: Int
        var hasHeard = false
        var moves = 0
        var lastUp: UInt32 = 0
        var lastDown: UInt32 = 0
    }

    /// The simulation's beginning on the capture's clock: 2026-01-01T00:00:00Z (assumption).
    package static let epoch: Int64 = 1_767_225_600_000_000_000
    /// No packet is stamped earlier than this before it crosses: a 3G promotion takes 2 s.
    private static let patience: Int64 = 10_000_000_000

    /// Creates the file.
    ///
    /// `radios` names each interface's radio file; the first one carries traffic
    /// until a path change says otherwise.
    package init(
        path: String,
        radios: [(interface: RadioInterface, radio: String)],
        device: Int = 0,
        application: String = "onebar",
        comment: String = "",
        stamp: @escaping Stamp = { _, _, instant in instant }
    ) throws(CaptureError) {
        precondition(!radios.isEmpty, "a capture is made on at least one interface")
        writer = try BlockCaptureWriter(path: path, application: application, comment: comment)
        self.device = device
        self.stamp = stamp
        selected = radios[0].interface
        for (interface, radio) in radios {
            interfaces[interface] = writer.addInterface(
                name: interface.rawValue,
                linkType: .raw,
                description: CaptureAnalyzer.radioMark + radio
            )
        }
    }

    /// Takes packets, path changes and connections of its device; ignores the rest.
    package func observe(_ record: TraceRecord) {
        guard record.device == device else { return }
        switch record.observation {
        case .packet(let crossing):
            take(crossing, at: record.instant)
        case .pathChanged(let change):
            if let interface = RadioInterface(rawValue: change.interface),
                interfaces[interface] != nil
            {
                selected = interface
            }
            if change.addressChanged { address += 1 }
        case .connectionOpened(let opening):
            let name = opening.host
            guard !name.isEmpty else { return }
            let server = IPAddress(ipv4: Self.server(opening.connection))
            writer.addNames([(server, name)])
        case .connectionClosed(let number, _):
            connections[number]?.lastUp = 0
        default:
            break
        }
    }

    /// Writes what waits, then the span of the run, and closes the file.
    package func finish(at end: SimulationInstant) {
        flush(before: .max)
        for index in interfaces.values.sorted() {
            writer.writeSpan(
                interface: index,
                start: Self.epoch,
                end: Self.epoch + end.nanoseconds,
                frames: counts[index, default: 0]
            )
        }
        do throws(CaptureError) { try writer.close() } catch { failure = error }
    }

    /// Throws if the file could not be written; to be asked after `finish`.
    package func check() throws(CaptureError) {
        if let failure { throw failure }
    }

    private func take(_ crossing: PacketCrossing, at instant: SimulationInstant) {
        guard let interface = interfaces[selected] else { return }
        let time = stamp(selected, crossing, instant).nanoseconds
        var connection = connections[crossing.connection] ?? Connection(address: address)
        let milliseconds = UInt32(truncatingIfNeeded: instant.nanoseconds / 1_000_000 + 1)
        let isUp = crossing.direction == .up
        let isQUIC = crossing.quic != .none
        if isQUIC, connection.address != address {
            // A QUIC connection goes along to the phone's next address.
            connection.address = address
            connection.moves += 1
        }
        let echo = isUp ? connection.lastDown : connection.lastUp
        if isUp { connection.lastUp = milliseconds } else { connection.lastDown = milliseconds }
        if !isUp { connection.hasHeard = true }
        connections[crossing.connection] = connection
        identification &+= 1
        let ends = PacketWriter.Ends(
            phone: 0x0A00_0001 &+ UInt32(connection.address),
            server: Self.server(crossing.connection),
            phonePort: UInt16(40_000 + crossing.connection % 20_000),
            // Where a dissector looks for QUIC; TCP's payload is no TLS, so it has another port.
            serverPort: isQUIC ? 443 : 50_443,
            hasHeard: connection.hasHeard,
            moves: connection.moves
        )
        insert(
            Waiting(
                at: time,
                interface: interface,
                crossing: crossing,
                ends: ends,
                milliseconds: milliseconds,
                echo: echo,
                identification: identification
            )
        )
        flush(before: instant.nanoseconds - Self.patience)
    }

    private func insert(_ packet: Waiting) {
        var index = waiting.count
        while index > 0, waiting[index - 1].at > packet.at { index -= 1 }
        waiting.insert(packet, at: index)
    }

    private func flush(before limit: Int64) {
        let count = waiting.firstIndex { $0.at >= limit } ?? waiting.count
        // Removing from the front is dear: wait until there is something to remove.
        guard count > 256 || limit == .max else { return }
        for packet in waiting[..<count] {
            counts[packet.interface, default: 0] += 1
            let bytes = PacketWriter.bytes(
                packet.crossing,
                packet.ends,
                milliseconds: packet.milliseconds,
                echo: packet.echo,
                identification: packet.identification
            )
            writer.write(
                bytes,
                originalLength: bytes.count,
                interface: packet.interface,
                nanoseconds: Self.epoch + packet.at,
                direction: packet.crossing.direction == .up ? .outbound : .inbound
            )
        }
        waiting.removeFirst(count)
    }

    /// A server's address: one of 198.18.0.0/15, which is for benchmarks (RFC 2544), by connection.
    private static func server(_ connection: Int64) -> UInt32 {
        0xC612_0001 &+ UInt32(truncatingIfNeeded: connection % 131_000)
    }
}
