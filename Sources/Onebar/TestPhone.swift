import Lab
import Quantities

/// A phone with your module on it.
public final class TestPhone<Module: Sendable> {
    private unowned let world: TestWorld

    init(world: TestWorld) {
        self.world = world
    }

    /// Lets a person do something again and again; returning is the promise made to them.
    ///
    /// While the app is dead the person waits and does it when it is back. The action is given the
    /// module of the present launch and its number, counted from one.
    public func tap(
        every interval: Duration,
        count: Int,
        startingAt start: Duration = .seconds(1),
        _ action: @escaping @Sendable (Module, Int) async throws -> Void
    ) {
        precondition(count >= 1, "\(count) taps test nothing")
        world.taps.append(
            TapPlan(start: start, interval: interval, count: count) { app, number in
                guard let app = app as? ModuleApp<Module> else {
                    preconditionFailure("the phone runs another module")
                }
                try await action(app.module, number)
            }
        )
    }
}
