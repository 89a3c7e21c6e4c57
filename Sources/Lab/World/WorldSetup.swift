import Profiles
import Quantities
import ServerModel

/// What a world plays beside its conditions: the app, the server's routes, and the person's taps.
package struct WorldSetup: Sendable {
    /// Makes the app at each launch.
    package var app: AppFactory
    /// Tells the server what it accepts.
    package var routes: @Sendable (SimulatedServer) -> Void
    /// What the person does, beside the scenario's workload.
    package var taps: [TapPlan] = []
    /// Whether each promised tap has to take effect at the server, exactly once.
    package var tapsTakeEffect = false
    /// What a test asks of its module while the world goes on.
    package var probes: [ProbePlan] = []
    /// Whether the server answers for every host, not only for its own.
    package var answersEveryHost = false
    /// Whether a hunt tries a second process of the app on the same store: the shipped modules bear one.
    package var hasSecondProcess = true

    /// Makes the setup of a scenario on the built-in app.
    package init(app: @escaping AppFactory = MessengerApp.factory) {
        self.app = app
        routes = { $0.acceptStandardRoutes() }
    }

    /// When the last thing has been done and everything heals, from the start of the run.
    func calm(of scenario: Scenario) -> Duration {
        max(scenario.activeDuration, taps.map(\.latest).max() ?? .zero)
    }
}

/// Taps of a test: one and the same action, again and again.
package struct TapPlan: Sendable {
    /// When the first one comes.
    package var start: Duration
    /// From one to the next.
    package var interval: Duration
    /// How many.
    package var count: Int
    /// The effect that one has at the server; nil where only the server learns its identity.
    package var effect: (@Sendable (Int) -> TapEffect)?
    /// What one does, with its number counted from one.
    package var action: @Sendable (any LabApp, Int) async throws -> Void

    /// Makes a plan.
    package init(
        start: Duration,
        interval: Duration,
        count: Int,
        effect: (@Sendable (Int) -> TapEffect)? = nil,
        action: @escaping @Sendable (any LabApp, Int) async throws -> Void
    ) {
        self.start = start
        self.interval = interval
        self.count = count
        self.effect = effect
        self.action = action
    }

    /// The kind of actions whose effects are matched by number.
    package static let kind = "tap"
    /// The kind of actions that name their effects.
    package static let namedKind = "action"

    /// When the last one comes.
    package var latest: Duration { start + interval * max(0, count - 1) }
}

/// What a tap does at the server.
package struct TapEffect: Sendable {
    /// What the effect is known by.
    package var identity: String
    /// What must see its effects in the order of the actions; empty if order is free.
    package var entity: String
    /// Whether it did not happen when the action throws.
    package var isUndoneIfThrown: Bool

    /// Makes an effect.
    package init(identity: String, entity: String, isUndoneIfThrown: Bool = false) {
        self.identity = identity
        self.entity = entity
        self.isUndoneIfThrown = isUndoneIfThrown
    }
}
