import PhoneModel
import Quantities
import Testing

@Suite struct BackgroundMemoryTests {
    /// 4,000 MB, of which the system has 2,000 and two apps have 300 and 150.
    func memory(footprint: Int64 = 80) -> BackgroundMemory {
        BackgroundMemory(
            system: .megabytes(2_000),
            footprint: .megabytes(footprint),
            tenants: [
                .init(name: "music", size: .megabytes(150)),
                .init(name: "maps", size: .megabytes(300)),
            ]
        )
    }

    func room(_ needed: Int64, charged: Int64?) -> BackgroundMemory.Outcome {
        var memory = memory()
        return memory.makeRoom(
            for: .megabytes(needed),
            in: .megabytes(4_000),
            charged: charged.map { .megabytes($0) }
        )
    }

    // 2,000 + 450 + 80 + 20 = 2,550 are in use: 1,450 are free.
    @Test func `nobody goes while there is room`() {
        #expect(room(1_450, charged: 20) == .init())
        #expect(room(1_451, charged: 20).killed.map(\.name) == ["maps"])
    }

    // The app has 100: it goes after maps (300) and music (150), for more than 1,450 + 450.
    @Test func `the largest goes first, and a small app last`() {
        let two = room(1_900, charged: 20)
        #expect(two.killed.map(\.name) == ["maps", "music"])
        #expect(!two.killsApp)
        #expect(room(1_901, charged: 20).killsApp)
    }

    // With 80 + 120 = 200 it is larger than music: the second to go, at more than 1,350 + 300.
    @Test func `a large app goes before a smaller one`() {
        #expect(!room(1_650, charged: 120).killsApp)
        let outcome = room(1_651, charged: 120)
        #expect(outcome.killed.map(\.name) == ["maps"])
        #expect(outcome.killsApp)
    }

    @Test func `when nobody is left, what is missing is told`() {
        let outcome = room(2_100, charged: nil)
        #expect(outcome.killed.map(\.name) == ["maps", "music"])
        #expect(!outcome.killsApp)
        #expect(outcome.missing == .megabytes(100))
    }

    @Test func `equal apps go by name`() {
        var memory = BackgroundMemory(
            system: .zero,
            footprint: .zero,
            tenants: [
                .init(name: "b", size: .megabytes(1)), .init(name: "a", size: .megabytes(1)),
            ]
        )
        let outcome = memory.makeRoom(for: .megabytes(1), in: .megabytes(2), charged: nil)
        #expect(outcome.killed.map(\.name) == ["a"])
        #expect(memory.tenants.map(\.name) == ["b"])
    }
}
