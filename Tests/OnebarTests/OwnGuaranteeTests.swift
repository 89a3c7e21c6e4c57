import Onebar
import Testing

/// Guarantees of a test's own, each with a twin that breaks it.
@Suite(.serialized) struct OwnGuaranteeTests {
    /// A module without network that counts what it is given.
    actor Counter {
        private(set) var sum = 0
        private(set) var isRipe = false
        private var last = 0

        /// Ripe after `span` of the app's own time.
        init(ripeAfter span: Duration = .zero) {
            Task {
                try await Task.sleep(for: span)
                await self.ripen()
            }
        }

        func add(_ number: Int, inTurn: Guarantee?) {
            inTurn?.check(number == last + 1, "\(number) after \(last)")
            last = number
            sum += number
        }

        private func ripen() { isRipe = true }
    }

    static let lab = Lab(conditions: "commute-no-faults", seeds: 3...4)

    /// Three taps; the twin leaves out the second number.
    static func count(
        skipping skipped: Int? = nil,
        _ more: (TestWorld, TestPhone<Counter>) -> Void = { _, _ in }
    ) async throws -> LabReport {
        try await lab.run { world in
            let inTurn = world.always("numbers come in turn")
            let phone = world.install { _ in Counter() }
            phone.tap(every: .seconds(1), count: 3) { counter, n in
                if n != skipped { await counter.add(n, inTurn: inTurn) }
            }
            more(world, phone)
        }
    }

    @Test func `what is always true breaks at the first check that is false`() async throws {
        #expect(try await Self.count().runs == 2)
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.count(skipping: 2)
        }
        #expect(failure?.guarantee == "numbers come in turn")
        #expect(failure?.seed == 3)
        #expect(failure?.description.contains("it was false: 3 after 1") == true)
        #expect(failure?.plan?.hasSuffix("numbers-come-in-turn.plan.json") == true)
    }

    @Test func `what is never true breaks at the first check that is true`() async throws {
        func run(limit: Int) async throws -> LabReport {
            try await Self.lab.run { world in
                let tooMuch = world.never("the sum is too large")
                let phone = world.install { _ in Counter() }
                phone.tap(every: .seconds(1), count: 3) { counter, n in
                    await counter.add(n, inTurn: nil)
                    let sum = await counter.sum
                    tooMuch.check(sum > limit, "\(sum)", of: "the sum")
                }
            }
        }
        _ = try await run(limit: 6)
        let failure = await #expect(throws: LabFailure.self) { try await run(limit: 5) }
        #expect(failure?.guarantee == "the sum is too large")
        // 1 + 2 + 3, at the third tap.
        #expect(failure?.description.contains("it was true: 6") == true)
    }

    @Test func `what should happen sometimes fails if it never does`() async throws {
        func run(wanted: Int) async throws -> LabReport {
            try await Self.lab.run { world in
                let seen = world.sometimes("the wanted number comes")
                let phone = world.install { _ in Counter() }
                phone.tap(every: .seconds(1), count: 3) { _, n in seen.check(n == wanted) }
            }
        }
        _ = try await run(wanted: 3)
        let failure = await #expect(throws: LabFailure.self) { try await run(wanted: 4) }
        #expect(failure?.guarantee == "the wanted number comes")
        // Three taps in each of two seeds.
        #expect(failure?.description.contains("checked 6 times in 2 runs") == true)
    }

    @Test func `a guarantee that is never evaluated fails the test`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.count { world, _ in _ = world.always("the moon is up") }
        }
        #expect(failure?.guarantee == "the moon is up")
        #expect(failure?.description.contains("was never evaluated") == true)
        #expect(failure?.description.contains("2 runs") == true)
    }

    @Test func `two guarantees of one name are a mistake`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.count { world, _ in _ = world.never("numbers come in turn") }
        }
        #expect(failure?.description.contains("two guarantees are called") == true)
    }

    @Test func `what must be so in the end has its span after healing`() async throws {
        func run(ripeAfter span: Duration) async throws -> LabReport {
            try await Self.lab.run { world in
                let phone = world.install { _ in Counter(ripeAfter: span) }
                phone.tap(every: .seconds(1), count: 1) { _, _ in }
                phone.eventually("it is ripe", within: .seconds(30)) { await $0.isRipe }
            }
        }
        _ = try await run(ripeAfter: .seconds(25))
        let failure = await #expect(throws: LabFailure.self) {
            try await run(ripeAfter: .seconds(86_400))
        }
        #expect(failure?.guarantee == "it is ripe")
        // At once and then every second, the thirtieth included.
        #expect(
            failure?.description.contains(
                "not so within 30 s after everything had healed: asked 31 times, "
                    + "the last answer was no"
            ) == true
        )
    }

    @Test func `the lab asks again and again where the code does not check`() async throws {
        func run(limit: Int) async throws -> LabReport {
            try await Self.count { _, phone in
                let pause = Duration.seconds(20)
                phone.always("the sum is small", every: pause) { await $0.sum <= limit }
                phone.never("the sum is large", every: pause) { await $0.sum > limit }
                phone.sometimes("the sum is six", every: pause) { await $0.sum == 6 }
            }
        }
        _ = try await run(limit: 6)
        let failure = await #expect(throws: LabFailure.self) { try await run(limit: 5) }
        #expect(failure?.guarantee == "the sum is small")
        #expect(failure?.description.contains("it was false: when asked") == true)
    }

    @Test func `a span beyond the end of the run is a mistake`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.count { world, phone in
                world.require(.settles, within: .seconds(10))
                phone.eventually("it is ripe", within: .seconds(30)) { await $0.isRipe }
            }
        }
        #expect(failure?.description.contains("may take 30 s") == true)
    }
}
