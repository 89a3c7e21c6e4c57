import ClientModules
import Foundation
import Lab
import Profiles
import Quantities
import SimulationKernel
import Testing

/// Two runs of a seed that differ: the lab names whose code it was, and what to replace.
@Suite struct ReproductionTests {
    /// What an app's waiting depends on, although it should not.
    enum Whim: Sendable {
        case nothing
        case date
        case identifier
        case generator
        case orderByAddress
        case keptFromBefore
    }

    /// How often the app was made in this process: a static, as singletons have.
    nonisolated(unsafe) static var launches = 0

    /// An app that waits for a while that depends on a whim, and then says so.
    final class FickleApp: LabApp {
        private final class Item {}

        private let launch: LaunchContext
        private let whim: Whim

        init(_ launch: LaunchContext, _ whim: Whim) {
            self.launch = launch
            self.whim = whim
            ReproductionTests.launches += 1
        }

        func run() async {
            for _ in 0..<3 {
                try? await launch.environment.clock.sleep(for: .milliseconds(1_000 + wait))
                launch.log("awake")
            }
        }

        func perform(_ action: AppAction) async throws {}

        private var wait: Int {
            switch whim {
            case .nothing: return 0
            case .date: return Int(Date().timeIntervalSince1970 * 1e6) % 997
            case .identifier: return Int(UUID().uuid.0) * 256 + Int(UUID().uuid.1)
            case .generator: return Int.random(in: 0..<10_000)
            case .orderByAddress:
                let items = (0..<100).map { _ in Item() }
                let known = Set(items.map { ObjectIdentifier($0) })
                let first = known.first
                return items.firstIndex { ObjectIdentifier($0) == first } ?? 0
            case .keptFromBefore: return ReproductionTests.launches
            }
        }
    }

    static func divergence(_ whim: Whim, _ mode: LabMode) throws -> Divergence? {
        let runner = SeedRunner(
            scenario: try LabRuns.testScenario("short"),
            setup: WorldSetup(app: { FickleApp($0, whim) })
        )
        var options = SeedRunner.Options()
        options.mode = mode
        return try runner.divergence(seed: 3, options: options)
    }

    /// Captured: even code that asks the system gets the same answers each time.
    @Test(arguments: [Whim.nothing, .date, .identifier, .generator])
    func `unmodified code that asks for time or chance repeats where both are captured`(
        whim: Whim
    ) throws {
        #expect(try Self.divergence(whim, .captured) == nil)
    }

    @Test func `code that asks for neither repeats in portable mode`() throws {
        #expect(try Self.divergence(.nothing, .portable) == nil)
    }

    #if os(Linux)
    @Test func `a Date() in portable mode is caught, and the reader is named`() throws {
        let found = try #require(try Self.divergence(.date, .portable))
        #expect(found.owner == "app#1")
        guard case .clock(reader: "app#1", let event) = found.cause else {
            Issue.record("\(found.lines)")
            return
        }
        #expect(event < found.number)
        #expect(found.lines.contains { $0.contains("environment.clock") })
    }

    @Test(arguments: [Whim.identifier, .generator])
    func `a UUID() or random(in:) in portable mode is caught, and who drew it is named`(
        whim: Whim
    ) throws {
        let found = try #require(try Self.divergence(whim, .portable))
        #expect(found.owner == "app#1")
        guard case .entropy(reader: "app#1", _) = found.cause else {
            Issue.record("\(found.lines)")
            return
        }
        #expect(found.lines.contains { $0.contains("environment.random") })
    }
    #endif

    /// Nothing was asked of the system: what is left is named as what to look for.
    @Test(arguments: [Whim.orderByAddress, .keptFromBefore], LabMode.allCases)
    func `order by address and statics are caught, with what to look for`(
        whim: Whim,
        mode: LabMode
    ) throws {
        let found = try #require(try Self.divergence(whim, mode))
        #expect(found.owner == "app#1")
        #expect(found.cause == .unseen)
        let first = try #require(found.first)
        let second = try #require(found.second)
        #expect(!first.isSame(as: second))
        #expect(found.lines.contains { $0.contains("Set or a Dictionary") })
        #expect(found.lines.contains { $0.contains("a static or a global") })
    }

    @Test func `a difference after the last checkpoint is a difference`() {
        let place = RunRecording.firstDifference(("a", [1, 2]), ("b", [1, 2]))
        #expect(place == 512..<768)
        #expect(RunRecording.firstDifference(("a", [1, 2]), ("b", [1, 3])) == 256..<512)
        #expect(RunRecording.firstDifference(("a", [1, 2]), ("a", [1, 2])) == nil)
    }

    /// A packet is the world's event: the app's last code before it is to blame.
    @Test func `what the world does first is put down to the app's code before it`() throws {
        func record(_ number: UInt64, _ owner: String, payload: UInt64 = 0) -> EventRecord {
            EventRecord(
                number: number,
                instant: .zero,
                kind: owner == "world" ? "receiver" : "job",
                owner: owner,
                payload: payload
            )
        }
        func recording(_ events: [EventRecord]) -> RunRecording {
            RunRecording(events: events, isPortable: false)
        }
        let shared = [record(0, "app#1"), record(1, "app#2"), record(2, "world")]
        let found = Divergence(
            recording(shared + [record(3, "world", payload: 7)]),
            recording(shared + [record(3, "world", payload: 8)])
        )
        #expect(found?.number == 3)
        #expect(found?.owner == "app#2")
        #expect(Divergence(recording(shared), recording(shared)) == nil)
        #expect(Divergence(recording(shared), recording([shared[0]]))?.number == 1)
    }
}
