import Quantities
import Trace

/// Reads a list of packets as text: `t,dir,len,payload,tcpinfo` lines after that header.
///
/// `t` is in seconds with up to nine decimals, `dir` is `UL` or `DL`, `len` counts IP bytes, `tcpinfo`
/// is a label such as `TCP_DATA` or `-`. A line `# trace_s=30` gives the length of the trace; without
/// one it ends with its last packet.
package struct PacketListReader {
    /// The first line that is no comment.
    package static let header = "t,dir,len,payload,tcpinfo"

    /// What is wrong, where.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        /// Counted from one.
        package var line: Int
        /// As half a sentence.
        package var what: String

        /// The line and what is wrong with it.
        package var description: String { "line \(line): \(what)" }
    }

    /// Reads a whole list.
    package static func read(_ text: String) throws(Problem) -> Traffic {
        var packets: [TrafficPacket] = []
        var length: Int64?
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            if line.hasPrefix("#") {
                guard let value = line.firstRange(of: "trace_s=").map({ line[$0.upperBound...] })
                else { continue }
                guard let parsed = nanoseconds(value) else {
                    throw Problem(line: number, what: "'\(value)' is no length in seconds")
                }
                length = parsed
                continue
            }
            if line.isEmpty || line == header { continue }
            packets.append(try packet(line, number))
        }
        let last = packets.map(\.time).max() ?? 0
        return Traffic(packets: packets, length: length ?? last)
    }

    private static func packet(_ line: Substring, _ number: Int) throws(Problem) -> TrafficPacket {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count == 5 else {
            throw Problem(line: number, what: "\(fields.count) fields instead of 5 (\(header))")
        }
        guard let time = nanoseconds(fields[0]) else {
            throw Problem(line: number, what: "'\(fields[0])' is no time in seconds")
        }
        guard fields[1] == "UL" || fields[1] == "DL" else {
            throw Problem(line: number, what: "'\(fields[1])' is neither UL nor DL")
        }
        guard let size = Int32(fields[2]), let payload = Int32(fields[3]), size >= 0, payload >= 0
        else {
            throw Problem(line: number, what: "'\(fields[2]),\(fields[3])' are no sizes in bytes")
        }
        guard let label = TCPLabel(rawValue: String(fields[4])) else {
            throw Problem(line: number, what: "'\(fields[4])' is no TCP label")
        }
        return TrafficPacket(
            time: time,
            fields[1] == "UL" ? .up : .down,
            size: size,
            payload: payload,
            label: label
        )
    }

    /// Seconds with up to nine decimals, exactly.
    static func nanoseconds(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, !first.isEmpty,
            let whole = Int64(first), whole >= 0, whole < 1_000_000_000
        else { return nil }
        guard parts.count == 2 else { return whole * 1_000_000_000 }
        let digits = parts[1]
        guard !digits.isEmpty, digits.count <= 9, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            var fraction = Int64(digits)
        else { return nil }
        for _ in digits.count..<9 { fraction *= 10 }
        return whole * 1_000_000_000 + fraction
    }
}
