import Budgets
import Lab
import Measurements
import Quantities

/// What a test declares: the server's contract, the module, the person, what must hold.
public final class TestWorld {
    /// What must hold; everything that Onebar knows is checked in any case.
    public enum Requirement: Sendable {
        /// Every promised action takes effect once, and has done so by the end.
        case exactlyOnce
    }

    /// The server: tell it what it accepts.
    public let server = TestServer()
    var taps: [TapPlan] = []
    var factory: AppFactory?
    var settle: Duration = .seconds(600)
    var requiresEffects = false
    var rules: [BudgetRule] = []
    var mistakes: [String] = []

    init() {}

    /// Puts your module on a phone; `make` runs at every launch, also after a kill.
    ///
    /// `work` is what the module does by itself, such as draining a queue; it is called once a
    /// launch and ends with the process.
    public func install<Module: Sendable>(
        work: @escaping @Sendable (Module) async -> Void = { _ in },
        _ make: @escaping @Sendable (Launch) throws -> Module
    ) -> TestPhone<Module> {
        factory = { context in ModuleApp(try make(Launch(context)), work: work) }
        return TestPhone(world: self)
    }

    /// Demands that all is done so much time after everything has healed.
    public func require(_ requirement: Requirement, within span: Duration) {
        switch requirement {
        case .exactlyOnce: requiresEffects = true
        }
        settle = span
    }

    /// Limits a cost: `world.budget("radio.energy_j", "p95 <= 400J")`.
    public func budget(_ metric: String, _ rule: String) {
        do {
            rules.append(try BudgetRule(metric: metric, text: rule))
        } catch {
            mistakes.append("\(error)")
        }
    }
}
