import ClientModules
import Quantities
import Testing

@Suite struct RetryBudgetTests {
    @Test func `an outage empties the bucket after its capacity of retries`() {
        var budget = RetryBudget(ratio: .percent(10), capacity: 100)
        let granted = (0..<1_000).count { _ in budget.spend() }
        #expect(granted == 100)
        #expect(budget.tokens == 0)
    }

    // Ten successes at 10 % pay for one retry; nine do not.
    @Test func `successes refill it, one retry for ten`() {
        var budget = RetryBudget(ratio: .percent(10), capacity: 1)
        let first = budget.spend()
        for _ in 0..<9 { budget.deposit() }
        let tooEarly = budget.spend()
        budget.deposit()
        let paid = budget.spend()
        #expect([first, tooEarly, paid] == [true, false, true])
    }

    // A bucket that is never refilled is a bug that shipped: retries were off until a restart.
    @Test func `after 36 failures and 1,000 successes a retry is to be had again`() {
        var budget = RetryBudget(ratio: .percent(10), capacity: 36)
        for _ in 0..<36 { _ = budget.spend() }
        for _ in 0..<1_000 { budget.deposit() }
        #expect(budget.tokens == 36)
        let granted = budget.spend()
        #expect(granted)
    }

    @Test func `what was stored comes back and no more than the capacity`() {
        var budget = RetryBudget(ratio: .percent(10), capacity: 5)
        _ = budget.spend()
        let restored = RetryBudget(
            ratio: .percent(10),
            capacity: 5,
            storedMillionths: budget.storableMillionths
        )
        #expect(restored == budget)
        let tampered = RetryBudget(
            ratio: .percent(10),
            capacity: 5,
            storedMillionths: .max
        )
        #expect(tampered.tokens == 5)
        #expect(RetryBudget(ratio: .percent(10), capacity: 5, storedMillionths: -3).tokens == 0)
    }

    // Thirds of a token cannot be counted in millionths: three deposits of 1/3 stay below one.
    @Test func `rounding never grants more than was earned`() {
        var budget = RetryBudget(ratio: Probability(1, of: 3), capacity: 1)
        _ = budget.spend()
        for _ in 0..<3 { budget.deposit() }
        let granted = budget.spend()
        #expect(!granted)
    }
}
