import Lab
import Quantities

/// A phone with your module on it.
public final class TestPhone<Module: Sendable> {
    unowned let world: TestWorld

    init(world: TestWorld) {
        self.world = world
    }

    /// Lets a person do something again and again; returning is the promise made to them.
    ///
    /// While the app is dead the person waits and does it when it is back. The action is given the
    /// module of the present launch and its number, counted from one. With `effect`, each promised action
    /// is looked for at the server by its identity, and the effects on one entity by their order;
    /// without, as many effects as promises are, each once.
    public func tap(
        every interval: Duration,
        count: Int,
        startingAt start: Duration = .seconds(1),
        effect: (@Sendable (Int) -> ActionEffect)? = nil,
        _ action: @escaping @Sendable (Module, Int) async throws -> Void
    ) {
        precondition(count >= 1, "\(count) taps test nothing")
        var known: (@Sendable (Int) -> TapEffect)?
        if let effect { known = { number in effect(number).effect } }
        world.taps.append(
            TapPlan(
                start: start,
                interval: interval,
                count: count,
                effect: known
            ) { app, number in
                try await action(Self.module(of: app), number)
            }
        )
    }

    static func module(of app: any LabApp) -> Module {
        guard let app = app as? ModuleApp<Module> else {
            preconditionFailure("the phone runs another module")
        }
        return app.module
    }
}
