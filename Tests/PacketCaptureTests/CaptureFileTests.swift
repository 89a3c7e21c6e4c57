import Foundation
import PacketCapture
import Testing

/// Files: ours written and read back, and files that are damaged.
@Suite struct CaptureFileTests {
    /// Keeps everything it is told.
    final class Recorder: CaptureVisitor {
        struct Frame: Equatable {
            var interface: Int
            var linkType: Int32
            var time: Int64
            var bytes: [UInt8]
            var original: Int
            var direction: FrameDirection?
        }
        var frames: [Frame] = []
        var names: [String] = []
        var interfaces: [String] = []
        var comments: [String] = []
        var spans: [[Int64?]] = []

        func visit(_ frame: CapturedFrame) {
            frames.append(
                Frame(
                    interface: frame.interface,
                    linkType: frame.linkType.rawValue,
                    time: frame.nanoseconds,
                    bytes: Array(frame.bytes),
                    original: frame.originalLength,
                    direction: frame.direction
                )
            )
        }
        func visitInterface(_ index: Int, name: String, description: String, linkType: LinkType) {
            interfaces.append("\(index) \(name) \(description) \(linkType.rawValue)")
        }
        func visitName(_ name: String, of address: IPAddress) { names.append("\(address) \(name)") }
        func visitSpan(ofInterface index: Int, start: Int64?, end: Int64?) {
            spans.append([start, end])
        }
        func visitComment(_ text: String) { comments.append(text) }
    }

    private func temporary() -> String {
        FileManager.default.temporaryDirectory
            .appending(path: "onebar-\(UUID().uuidString).pcapng").path
    }

    private func read(_ bytes: [UInt8]) throws -> (Recorder, CaptureFile.Ending) {
        let path = temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(filePath: path))
        let recorder = Recorder()
        return (recorder, try CaptureFile(path: path).read(recorder))
    }

    private func written() throws -> [UInt8] {
        let path = temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try BlockCaptureWriter(path: path, application: "test", comment: "hello")
        let raw = writer.addInterface(name: "cellular", linkType: .raw, description: "radio x")
        let ethernet = writer.addInterface(name: "wifi", linkType: .ethernet)
        writer.addNames([(try #require(IPAddress(text: "192.0.2.9")), "a.example")])
        writer.write(
            FrameBytes.tcp4(),
            originalLength: 1_000,
            interface: raw,
            nanoseconds: 1_700_000_000_123_456_789,
            direction: .outbound,
            comment: "first"
        )
        writer.write([1, 2, 3, 4, 5], originalLength: 5, interface: ethernet, nanoseconds: 5)
        writer.writeSpan(interface: raw, start: 1, end: 1_700_000_001_000_000_000, frames: 1)
        try writer.close()
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    @Test func `what is written is read back, to the nanosecond and with every interface`() throws {
        let (recorder, ending) = try read(try written())
        #expect(ending == CaptureFile.Ending(frames: 2, truncation: nil))
        #expect(recorder.interfaces == ["0 cellular radio x 101", "1 wifi  1"])
        #expect(recorder.names == ["192.0.2.9 a.example"])
        #expect(recorder.comments == ["hello", "first"])
        #expect(recorder.spans == [[1, 1_700_000_001_000_000_000]])
        #expect(recorder.frames[0].time == 1_700_000_000_123_456_789)
        #expect(recorder.frames[0].bytes == FrameBytes.tcp4())
        #expect(recorder.frames[0].original == 1_000)
        #expect(recorder.frames[0].direction == .outbound)
        #expect(
            recorder.frames[1]
                == Recorder.Frame(
                    interface: 1,
                    linkType: 1,
                    time: 5,
                    bytes: [1, 2, 3, 4, 5],
                    original: 5,
                    direction: nil
                )
        )
    }

    @Test func `a big-endian section with microseconds and a binary clock reads alike`() throws {
        let big = { (value: UInt32) in FrameBytes.big(value) }
        let block = { (type: UInt32, body: [UInt8]) -> [UInt8] in
            big(type) + big(UInt32(body.count + 12)) + body + big(UInt32(body.count + 12))
        }
        let section = block(0x0A0D_0D0A, big(0x1A2B_3C4D) + [0, 1, 0, 0] + big(.max) + big(.max))
        // The default resolution is a microsecond; 0x8A is 2^-10 s.
        let micro = block(1, [0, 101, 0, 0] + big(0))
        let binary = block(1, [0, 101, 0, 0] + big(0) + [0, 9, 0, 1, 0x8A, 0, 0, 0] + big(0))
        let packet = { (interface: UInt32, time: UInt32) in
            block(6, big(interface) + big(0) + big(time) + big(4) + big(4) + [1, 2, 3, 4])
        }
        let (recorder, ending) = try read(
            section + micro + binary + packet(0, 1_500_000) + packet(1, 1_536)
        )
        #expect(ending.frames == 2)
        #expect(recorder.frames.map(\.time) == [1_500_000_000, 1_500_000_000])
    }

    @Test func `classic captures are read by libpcap in either resolution`() throws {
        for (magic, unit) in [(UInt32(0xA1B2_C3D4), 1_000), (0xA1B2_3C4D, 1)] as [(UInt32, Int64)] {
            let packet = FrameBytes.tcp4()
            var file = FrameBytes.little(magic) + [2, 0, 4, 0] + Array(repeating: 0, count: 8)
            file += FrameBytes.little(UInt32(65_535)) + FrameBytes.little(UInt32(101))
            file += FrameBytes.little(UInt32(7)) + FrameBytes.little(UInt32(250))
            file += FrameBytes.little(UInt32(packet.count)) + FrameBytes.little(UInt32(900))
            let (recorder, ending) = try read(file + packet)
            #expect(ending.frames == 1)
            #expect(recorder.frames[0].time == 7_000_000_000 + 250 * unit)
            #expect(recorder.frames[0].original == 900)
            #expect(
                recorder.frames[0].bytes.withUnsafeBytes { bytes in
                    FrameDecoder.decode(
                        CapturedFrame(
                            interface: 0,
                            linkType: LinkType(rawValue: recorder.frames[0].linkType),
                            nanoseconds: 0,
                            bytes: bytes,
                            originalLength: 900
                        )
                    ) != nil
                }
            )
            let (_, cut) = try read(file + packet.dropLast(5))
            #expect(cut.frames == 0)
            #expect(cut.truncation != nil)
        }
    }

    @Test func `a cut-off file is read as far as it goes, and says so`() throws {
        let whole = try written()
        let (recorder, ending) = try read(Array(whole.dropLast(70)))
        #expect(ending.truncation != nil)
        #expect(recorder.frames.count == 1)
    }

    @Test(
        arguments: [
            ([], "empty"), (Array("hello world, no capture".utf8), "no capture"),
            ([0x1F, 0x8B, 8, 0], "compressed"),
            ([0x0A, 0x0D, 0x0D, 0x0A, 0, 0, 0, 0, 1, 2, 3, 4], "damaged"),
        ] as [([UInt8], String)]
    )
    func `what is no capture is refused with a sentence`(bytes: [UInt8], word: String) {
        #expect {
            try read(bytes)
        } throws: { error in
            "\(error)".contains(word)
        }
    }

    @Test func `a missing file is told from a wrong one`() {
        #expect {
            try CaptureFile(path: "/nonexistent/x.pcap")
        } throws: { error in
            (error as? CaptureError)?.kind == .missing
        }
    }

    @Test func `a writer that cannot write says so and leaves nothing`() {
        #expect {
            try BlockCaptureWriter(path: "/nonexistent/x.pcapng", application: "test")
        } throws: { error in
            (error as? CaptureError)?.kind == .unwritable
        }
    }
}
