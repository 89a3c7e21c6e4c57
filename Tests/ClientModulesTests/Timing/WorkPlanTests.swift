import Testing

@testable import ClientModules

@Suite struct WorkPlanTests {
    func item(
        _ sequence: Int64,
        due: Int = 0,
        expires: Int = 1_000,
        isInFlight: Bool = false
    ) -> WorkItem {
        WorkItem(
            sequence: sequence,
            dueAt: .seconds(due),
            expiresAt: .seconds(expires),
            isInFlight: isInFlight
        )
    }

    func plan(
        _ items: [WorkItem],
        slots: Int = 2,
        isReachable: Bool = true,
        pausedUntil: Int = 0
    ) -> WorkPlan {
        WorkPlan(
            items: items,
            now: .seconds(100),
            slots: slots,
            isReachable: isReachable,
            pausedUntil: .seconds(pausedUntil)
        )
    }

    @Test func `what is due starts in order while there are slots`() {
        let made = plan([item(3), item(5), item(9)])
        #expect(made.start == [3, 5])
        #expect(made.waiting == nil)
        // What runs takes a slot; what runs does not start again.
        #expect(plan([item(3, isInFlight: true), item(5), item(9)]).start == [5])
        #expect(plan([item(3, isInFlight: true), item(5)], slots: 1).start == [])
    }

    @Test func `what waits wakes the plan at the first instant and says so`() {
        let made = plan([item(3, due: 130), item(5, due: 110)])
        #expect(made.start == [])
        #expect(made.wakeAt == .seconds(110))
        #expect(made.waiting == .backoff(.seconds(10)))
    }

    @Test func `what waits does not hold up what is due`() {
        let made = plan([item(3, due: 130), item(5)])
        #expect(made.start == [5])
        #expect(made.wakeAt == .seconds(130))
    }

    @Test func `without a route nothing starts and only the end of time wakes`() {
        let made = plan([item(3), item(5, due: 110, expires: 700)], isReachable: false)
        #expect(made.start == [])
        #expect(made.wakeAt == .seconds(700))
        #expect(made.waiting == .path)
    }

    @Test func `a pause holds everything`() {
        let made = plan([item(3), item(5, due: 110)], pausedUntil: 120)
        #expect(made.start == [])
        #expect(made.wakeAt == .seconds(120))
        #expect(made.waiting == .server(.seconds(20)))
    }

    @Test func `what is too old is given up, also without a route, but not in flight`() {
        let made = plan(
            [item(3, expires: 100), item(5), item(7, expires: 50, isInFlight: true)],
            isReachable: false
        )
        #expect(made.expired == [3])
        #expect(made.start == [])
    }

    @Test func `nothing to do wakes never and waits for nothing`() {
        let made = plan([])
        #expect(made.wakeAt == nil)
        #expect(made.waiting == nil)
        #expect(plan([item(1, isInFlight: true)]).waiting == nil)
    }
}
