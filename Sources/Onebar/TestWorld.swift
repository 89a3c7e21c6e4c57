import Budgets
import ClientModules
import Lab
import Measurements
import Quantities

/// What a test declares: the server's contract, the module, the person, what must hold.
public final class TestWorld {
    /// What must hold; everything that Onebar knows is checked in any case.
    public enum Requirement: Sendable {
        /// Every promised action takes effect once, and has done so by the end.
        case exactlyOnce
        /// Everything that was begun and promised is finished by the end, without further input.
        ///
        /// What has not finished says what it waits for. Only the span is yours: that it holds is
        /// checked in any case.
        case settles
    }

    /// The server: tell it what it accepts.
    public let server = TestServer()
    /// Whether a hunt runs your module in a second process too, on the same store and at the same time.
    ///
    /// For an app with a share extension, a notification service, a worker in a process of its own. There
    /// `launch.environment.process` is not empty.
    public var hasSecondProcess = false
    var taps: [TapPlan] = []
    var factory: AppFactory?
    private var required: Duration?
    /// The longest span of a guarantee that has to hold in the end.
    var longestWait = Duration.zero
    var probes: [ProbePlan] = []
    let book = GuaranteeBook()
    var requiresEffects = false
    var rules: [BudgetRule] = []
    var mistakes: [String] = []

    init() {}

    /// How long the world goes on after everything has healed.
    var settle: Duration { required ?? max(.seconds(600), longestWait) }

    /// Puts your module on a phone; `make` runs at every launch, also after a kill.
    ///
    /// `work` is what the module does by itself, such as draining a queue; it is called once a
    /// launch and ends with the process.
    public func install<Module: Sendable>(
        work: @escaping @Sendable (Module) async -> Void = { _ in },
        _ make: @escaping @Sendable (Launch) throws -> Module
    ) -> TestPhone<Module> {
        let book = book
        factory = { context in
            // What is guaranteed is told by the app itself.
            if context.environment.process.isEmpty { book.begin(context) }
            return ModuleApp(try make(Launch(context)), work: work)
        }
        return TestPhone(world: self)
    }

    /// Demands that all is done so much time after everything has healed.
    public func require(_ requirement: Requirement, within span: Duration) {
        switch requirement {
        case .exactlyOnce: requiresEffects = true
        case .settles: break
        }
        if let required, required != span {
            mistakes.append(
                "requirements are judged together, at the end of one span: \(required.compactText) "
                    + "and \(span.compactText) were given"
            )
        }
        required = span
    }

    /// What a test declared that cannot be, in sentences.
    var allMistakes: [String] {
        guard let required, longestWait > required else { return mistakes }
        return mistakes + [
            "a guarantee may take \(longestWait.compactText), but the run ends "
                + "\(required.compactText) after everything has healed: require more"
        ]
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
