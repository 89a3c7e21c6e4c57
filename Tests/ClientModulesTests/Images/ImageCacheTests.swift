import ClientModules
import Foundation
import Quantities
import Testing

@Suite struct ImageCacheTests {
    @Test func `a picture is fetched once, and is then in memory, and then on disk`() throws {
        let fixture = try ImageFixture()
        fixture.serve()
        let key = try ImageFixture.key("a")
        for _ in 1...3 { fixture.ask(key) }
        fixture.phone.pass(.seconds(1))
        fixture.ask(key)
        fixture.cache.removeBitmaps()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["network", "network+", "network+", "memory", "disk"])
        #expect(fixture.phone.transport.seen.count == 1)
        #expect(fixture.decoder.decoded.count == 2)
        #expect(fixture.decoder.decoded[0] == PixelSize(width: 1_000, height: 750))
    }

    @Test func `two sizes of one picture are two bitmaps and one fetch`() throws {
        let fixture = try ImageFixture()
        fixture.serve()
        fixture.ask(try ImageFixture.key("a", 540, 540))
        fixture.ask(try ImageFixture.key("a", 100, 100))
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["network", "network"])
        #expect(fixture.phone.transport.seen.count == 1)
        // 4000 / 16 = 250 and 3000 / 16 = 187 fill 100; 3000 / 32 = 93 does not.
        #expect(
            fixture.decoder.decoded.map(\.width).sorted() == [250, 1_000]
        )
    }

    @Test func `a variant is asked for where the server has one`() throws {
        let fixture = try ImageFixture(
            .init(variant: { URL(string: "\($0.source)?w=\($0.size.width)") ?? $0.source })
        )
        fixture.serve(WordDecoder.picture(540, 540))
        fixture.ask(try ImageFixture.key("a"))
        fixture.phone.pass(.seconds(1))
        #expect(fixture.phone.transport.seen.first?.request.url.query() == "w=540")
    }

    // Bitmaps of 1000 x 750 x 4 = 3,000,000 bytes in 10,000,000: three fit.
    @Test func `memory is counted in bytes, and the least recently used goes`() throws {
        let fixture = try ImageFixture(.init(memoryLimit: ByteCount(10_000_000)))
        fixture.serve()
        for name in ["a", "b", "c"] {
            fixture.ask(try ImageFixture.key(name))
            fixture.phone.pass(.seconds(1))
        }
        #expect(fixture.cache.memoryInUse == ByteCount(9_000_000))
        #expect(fixture.cache.cached(try ImageFixture.key("a")) != nil)
        fixture.ask(try ImageFixture.key("d"))
        fixture.phone.pass(.seconds(1))
        #expect(fixture.cache.memoryInUse == ByteCount(9_000_000))
        // a was used after b.
        #expect(fixture.cache.cached(try ImageFixture.key("b")) == nil)
        #expect(fixture.cache.cached(try ImageFixture.key("a")) != nil)
        #expect(fixture.heard.all == [.evicted(try ImageFixture.key("b"), .room)])
    }

    @Test func `a bitmap of more than half of the memory is shown and not kept`() throws {
        let fixture = try ImageFixture(.init(memoryLimit: ByteCount(5_999_999)))
        fixture.serve()
        fixture.ask(try ImageFixture.key("a"))
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["network"])
        #expect(fixture.cache.memoryInUse == .zero)
    }

    @Test func `the last one who leaves ends the transfer, and nothing is decoded`() throws {
        let fixture = try ImageFixture()
        fixture.serve(after: .seconds(5))
        let first = fixture.ask(try ImageFixture.key("a"))
        let second = fixture.ask(try ImageFixture.key("a"))
        fixture.phone.pass(.seconds(1))
        first.cancel()
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["cancelled"])
        second.cancel()
        fixture.phone.pass(.seconds(10))
        #expect(fixture.outcome.all == ["cancelled", "cancelled"])
        #expect(fixture.decoder.decoded.isEmpty)
        // The answer was never taken: asking again begins anew.
        fixture.ask(try ImageFixture.key("a"))
        fixture.phone.pass(.seconds(10))
        #expect(fixture.outcome.all.last == "network")
        #expect(fixture.phone.transport.seen.count == 2)
    }

    @Test func `a prefetch that comes on the screen overtakes the others on the line`() throws {
        let fixture = try ImageFixture(slots: RequestSlots(prefetch: 1))
        fixture.serve(after: .milliseconds(200))
        for name in ["a", "b", "c", "d"] { fixture.ask(try ImageFixture.key(name), .prefetch) }
        fixture.phone.pass(.milliseconds(50))
        fixture.ask(try ImageFixture.key("d"), .visible)
        fixture.phone.pass(.zero)
        #expect(fixture.phone.transport.seen.map { $0.request.url.path() } == ["/a", "/d"])
        fixture.phone.pass(.seconds(2))
        #expect(fixture.outcome.all.count == 5)
    }

    // 3 MB a bitmap and room for 7 MB: two at a time, although four could run.
    @Test func `bitmaps come into being by bytes`() throws {
        let fixture = try ImageFixture(
            .init(parallelDecodes: 4, decodeLimit: ByteCount(7_000_000))
        )
        fixture.serve()
        for name in ["a", "b", "c", "d"] { fixture.ask(try ImageFixture.key(name)) }
        fixture.phone.pass(.seconds(1))
        #expect(fixture.decoder.mostAtOnce == 2)
        #expect(fixture.decoder.decoded.count == 4)
    }

    @Test func `a bitmap larger than all the room is decoded alone`() throws {
        let fixture = try ImageFixture(.init(parallelDecodes: 4, decodeLimit: ByteCount(1)))
        fixture.serve()
        for name in ["a", "b"] { fixture.ask(try ImageFixture.key(name)) }
        fixture.phone.pass(.seconds(1))
        #expect(fixture.decoder.mostAtOnce == 1)
        #expect(fixture.decoder.decoded.count == 2)
    }

    @Test func `what is looked at is decoded before what is not`() throws {
        let fixture = try ImageFixture(.init(parallelDecodes: 1))
        fixture.serve(WordDecoder.picture(2_000, 2_000))
        fixture.ask(try ImageFixture.key("first", 100, 100))
        for number in 1...3 { fixture.ask(try ImageFixture.key("p\(number)", 200, 200), .prefetch) }
        fixture.ask(try ImageFixture.key("seen", 1_000, 1_000))
        fixture.phone.pass(.seconds(2))
        // 2000/16 = 125, 2000/8 = 250, 2000/2 = 1000.
        #expect(fixture.decoder.decoded.map(\.width).prefix(2) == [125, 1_000])
    }

    // MARK: Pressure

    @Test func `a warning halves what is kept, and nothing is decoded ahead for a while`() throws {
        let fixture = try ImageFixture(.init(memoryLimit: ByteCount(12_000_000)))
        fixture.serve()
        for name in ["a", "b", "c", "d"] { fixture.ask(try ImageFixture.key(name)) }
        fixture.phone.pass(.seconds(1))
        #expect(fixture.cache.memoryInUse == ByteCount(12_000_000))
        fixture.phone.signals.pressure.set(.warning)
        fixture.phone.pass(.zero)
        #expect(fixture.cache.memoryInUse == ByteCount(6_000_000))
        fixture.phone.signals.pressure.set(.normal)
        fixture.ask(try ImageFixture.key("e"), .prefetch)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all.last == "deferred")
        // It is on disk: whoever comes to look waits for the decoder alone.
        fixture.ask(try ImageFixture.key("e"), .visible)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all.last == "disk")
        #expect(fixture.cache.memoryInUse == ByteCount(6_000_000))
        fixture.phone.pass(.seconds(30))
        fixture.ask(try ImageFixture.key("f"), .prefetch)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all.last == "network")
    }

    @Test func `a critical level empties memory and keeps it empty`() throws {
        let fixture = try ImageFixture()
        fixture.serve()
        fixture.ask(try ImageFixture.key("a"))
        fixture.phone.pass(.seconds(1))
        fixture.phone.signals.pressure.set(.critical)
        fixture.ask(try ImageFixture.key("b"))
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["network", "network"])
        #expect(fixture.cache.memoryInUse == .zero)
    }

    @Test func `out of sight a tenth is kept`() throws {
        let fixture = try ImageFixture(.init(memoryLimit: ByteCount(30_000_000)))
        fixture.serve()
        for name in ["a", "b", "c"] { fixture.ask(try ImageFixture.key(name)) }
        fixture.phone.pass(.seconds(1))
        fixture.phone.signals.phase.set(.background)
        fixture.phone.pass(.zero)
        #expect(fixture.cache.memoryInUse == ByteCount(3_000_000))
        #expect(fixture.cache.cached(try ImageFixture.key("c")) != nil)
    }
}
