import Foundation
import PacketCapture
import Quantities
import Trace

/// Reads HAR 1.2 (Charles, Chrome, Chucker, PCAPdroid): each request as its packets would be.
///
/// A request goes up in segments of 1,460 B when sending began, its response comes down evenly over
/// the receive time, and every second segment is acknowledged (RFC 1122, 4.2.3.2). A request with a
/// connect time opens with SYN, SYN+ACK, ACK. All of it is what TCP would do on a perfect link; a HAR
/// has no packets, and the report says so.
struct HARReader {
    let path: String
    let shownPath: String

    /// Payload of a full segment: 1,500 B of Ethernet less 40 B of headers.
    private static let segment = 1_460
    /// IPv4 and TCP headers without options.
    private static let header: Int32 = 40

    private struct Archive: Decodable {
        var log: Log
        struct Log: Decodable {
            var entries: [Entry]
        }
        struct Entry: Decodable {
            var startedDateTime: String
            var time: Double?
            var request: Message
            var response: Message
            var timings: Timings?
        }
        struct Message: Decodable {
            var method: String?
            var url: String?
            var headersSize: Int?
            var bodySize: Int?
            var content: Content?
        }
        struct Content: Decodable {
            var size: Int?
        }
        struct Timings: Decodable {
            var blocked: Double?
            var dns: Double?
            var connect: Double?
            var send: Double?
            var wait: Double?
            var receive: Double?
        }
    }

    func read(_ options: CaptureOptions) throws(CaptureError) -> CaptureInput {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CaptureError(
                path: shownPath,
                "the file cannot be read",
                remedy: "check its rights",
                kind: .missing
            )
        }
        guard let archive = try? JSONDecoder().decode(Archive.self, from: data) else {
            throw CaptureError(
                path: shownPath,
                "the file is JSON, but no HAR",
                remedy: "export it as HAR 1.2 again"
            )
        }
        var owners = OwnerTable()
        var numbers: [TrafficOwner: Int32] = [:]
        var packets: [TrafficPacket] = []
        var skipped = 0
        var last: Int64 = .min
        for entry in archive.log.entries {
            guard let start = Self.nanoseconds(entry.startedDateTime) else {
                skipped += 1
                continue
            }
            let owner = Self.owner(entry.request)
            let number = numbers[owner] ?? owners.add(owner)
            numbers[owner] = number
            last = max(last, add(entry, at: start, number, to: &packets))
        }
        guard let first = packets.map(\.time).min() else {
            throw CaptureError(
                path: shownPath,
                "the HAR holds no request with a time",
                remedy: "record again with timings"
            )
        }
        for index in packets.indices { packets[index].time -= first }
        var notes = ["a HAR has no packets: they are drawn from its requests and timings"]
        if skipped > 0 { notes.append("\(skipped) requests without a readable time are left out") }
        options.progress(1)
        return CaptureInput(
            traffic: Traffic(packets: packets, length: last - first),
            owners: owners.owners,
            deviceAddresses: [],
            apps: [],
            notes: notes,
            openConnections: (0, 0)
        )
    }

    /// Adds a request's packets; the answer is its end.
    private func add(
        _ entry: Archive.Entry,
        at start: Int64,
        _ owner: Int32,
        to packets: inout [TrafficPacket]
    ) -> Int64 {
        let timings = entry.timings
        let span = { (value: Double?) -> Int64 in
            guard let value, value > 0, value < 1e9 else { return 0 }
            return Int64(value * 1e6)
        }
        var time = start + span(timings?.blocked) + span(timings?.dns)
        let connect = span(timings?.connect)
        if connect > 0 {
            let label = TCPLabel.establish
            packets.append(.init(time: time, .up, size: 60, payload: 0, label: label, owner: owner))
            time += connect
            packets.append(
                .init(time: time, .down, size: 60, payload: 0, label: label, owner: owner)
            )
            packets.append(
                .init(time: time, .up, size: Self.header, payload: 0, label: .ack, owner: owner)
            )
        }
        let up = Self.size(entry.request, whole: 300)
        time = send(up, .up, from: time, over: span(timings?.send), owner, to: &packets)
        time += span(timings?.wait)
        let receive = timings?.receive
        let rest = (entry.time ?? 0) - Double(time - start) / 1e6
        let down = Self.size(entry.response, whole: 200)
        return send(
            down,
            .down,
            from: time,
            over: span(receive ?? max(0, rest)),
            owner,
            to: &packets
        )
    }

    private func send(
        _ bytes: Int,
        _ direction: PacketDirection,
        from start: Int64,
        over span: Int64,
        _ owner: Int32,
        to packets: inout [TrafficPacket]
    ) -> Int64 {
        let count = max(1, (bytes + Self.segment - 1) / Self.segment)
        for index in 0..<count {
            let time = start + (count > 1 ? span / Int64(count - 1) * Int64(index) : 0)
            let payload = Int32(min(Self.segment, bytes - index * Self.segment))
            packets.append(
                .init(
                    time: time,
                    direction,
                    size: payload + Self.header,
                    payload: payload,
                    label: .data,
                    owner: owner
                )
            )
            if index % 2 == 1 || index == count - 1 {
                packets.append(
                    .init(
                        time: time,
                        direction == .up ? .down : .up,
                        size: Self.header,
                        payload: 0,
                        label: .ack,
                        owner: owner
                    )
                )
            }
        }
        return start + (count > 1 ? span : 0)
    }

    /// Bytes of a message; `whole` stands for a head whose size the file does not say (assumption).
    private static func size(_ message: Archive.Message, whole: Int) -> Int {
        let head = message.headersSize.map { $0 > 0 ? $0 : whole } ?? whole
        var body = message.bodySize ?? -1
        if body < 0 { body = message.content?.size ?? 0 }
        return min(head + max(body, 0), 1 << 30)
    }

    /// Method, host and path; never the query.
    private static func owner(_ request: Archive.Message) -> TrafficOwner {
        let url = request.url ?? ""
        let plain = url.prefix { $0 != "?" && $0 != "#" }
        let rest = plain.firstRange(of: "://").map { plain[$0.upperBound...] } ?? plain
        let authority = rest.prefix { $0 != "/" }
        let host = authority.split(separator: "@").last.map(String.init) ?? ""
        let path = String(rest.drop { $0 != "/" })
        let method = request.method ?? "GET"
        return TrafficOwner(
            host: PayloadReader.printable(host),
            path: PayloadReader.printable("\(method)") + " "
                + PayloadReader.printable(path.isEmpty ? "/" : path)
        )
    }

    /// ISO 8601 with any number of decimals and a zone, to nanoseconds since 1970.
    static func nanoseconds(_ text: String) -> Int64? {
        var whole = text
        var fraction: Int64 = 0
        if let dot = text.firstIndex(of: ".") {
            let digits = text[text.index(after: dot)...].prefix { $0.isASCII && $0.isNumber }
            whole = String(text[..<dot]) + text[text.index(after: dot)...].dropFirst(digits.count)
            let nine = digits.prefix(9) + String(repeating: "0", count: max(0, 9 - digits.count))
            fraction = Int64(nine) ?? 0
        }
        guard let date = try? Date(whole, strategy: .iso8601) else { return nil }
        let seconds = date.timeIntervalSince1970.rounded()
        guard abs(seconds) < 4e9 else { return nil }
        return Int64(seconds) * 1_000_000_000 + fraction
    }
}
