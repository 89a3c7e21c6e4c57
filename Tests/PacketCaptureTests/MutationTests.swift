import Foundation
import PacketCapture
import Testing

/// Damaged input: a seeded mutator over real frames and files; nothing may trap.
///
/// A read past the end would trap too: every buffer is exactly as long as its bytes.
@Suite struct MutationTests {
    /// SplitMix64 (Steele, Lea and Flood, 2014).
    struct Generator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
        mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

        /// Flips, overwrites, cuts or doubles some bytes.
        mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
            var result = bytes
            for _ in 0...below(6) where !result.isEmpty {
                let index = below(result.count)
                switch below(5) {
                case 0: result[index] ^= 1 << UInt8(below(8))
                case 1: result[index] = UInt8(truncatingIfNeeded: next())
                case 2: result[index] = [0, 0xFF, 0x7F, 0x80][below(4)]
                case 3: result.removeSubrange(index...)
                default: result.insert(contentsOf: result[index...].prefix(8), at: index)
                }
            }
            return result
        }
    }

    /// So many in this test; `ONEBAR_MUTATIONS=1000000 swift test` runs the long form.
    static let count =
        ProcessInfo.processInfo.environment["ONEBAR_MUTATIONS"].flatMap(Int.init) ?? 20_000

    @Test func `mutated frames of every link type are decoded or refused`() {
        var generator = Generator(state: 1)
        let ip = FrameBytes.tcp4()
        let pktap =
            FrameBytes.little(UInt32(108)) + FrameBytes.little(UInt32(1))
            + FrameBytes.little(UInt32(1)) + Array(repeating: UInt8(0), count: 96)
        let seeds: [([UInt8], LinkType)] = [
            (ip, .raw), (FrameBytes.udp6(), .ipv6),
            (FrameBytes.macs + [0x08, 0] + ip, .ethernet),
            (
                FrameBytes.macs + [0x81, 0, 0, 5, 0x88, 0x64, 0x11, 0, 0, 1, 0, 45, 0, 0x21] + ip,
                .ethernet
            ),
            ([0, 4, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 0x08, 0] + ip, .linuxCooked),
            (Array(repeating: 0, count: 20) + ip, .linuxCooked2),
            (
                [0, 0, 8, 0, 0, 0, 0, 0, 0x08, 1] + Array(repeating: 1, count: 22)
                    + [0xAA, 0xAA, 3, 0, 0, 0, 8, 0] + ip, .radiotap
            ),
            ([0xFF, 0x03, 0, 0x21] + ip, .ppp), (pktap + FrameBytes.macs + [8, 0] + ip, .pktap),
            ([2, 0, 0, 0] + ip, .null), ([0x11, 0, 0, 1, 0, 45, 0, 0x21] + ip, .pppEthernet),
        ]
        var decoded = 0
        var wrong = 0
        for _ in 0..<Self.count {
            let (seed, type) = seeds[generator.below(seeds.count)]
            let bytes = generator.mutate(seed)
            let original = generator.below(4) == 0 ? generator.below(100_000) : bytes.count
            guard let packet = FrameBytes.decode(bytes, type, original: original) else { continue }
            decoded += 1
            if packet.size < 20 || packet.payloadLength > packet.size { wrong += 1 }
        }
        #expect(wrong == 0)
        // The mutator leaves some whole: a test that decodes nothing would prove nothing.
        #expect(decoded > Self.count / 10)
    }

    @Test func `mutated pcapng files are read to some end`() throws {
        var generator = Generator(state: 2)
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appending(path: "onebar-\(UUID().uuidString).pcapng").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try BlockCaptureWriter(path: path, application: "test", comment: "c")
        let interface = writer.addInterface(name: "a", linkType: .raw, description: "d")
        writer.addNames([(IPAddress(ipv4: 1), "x"), (IPAddress(high: 1, low: 2), "y")])
        for time in 0..<4 as Range<Int64> {
            writer.write(
                FrameBytes.tcp4(),
                originalLength: 43,
                interface: interface,
                nanoseconds: time,
                direction: .inbound,
                comment: "z"
            )
        }
        writer.writeSpan(interface: interface, start: 0, end: 9, frames: 4)
        try writer.close()
        let seed = Array(try Data(contentsOf: URL(filePath: path)))
        var frames = 0
        for _ in 0..<(Self.count / 20) {
            try Data(generator.mutate(seed)).write(to: URL(filePath: path))
            let recorder = CaptureFileTests.Recorder()
            if let file = try? CaptureFile(path: path) { _ = try? file.read(recorder) }
            frames += recorder.frames.count
        }
        #expect(frames > Self.count / 20)
    }
}
