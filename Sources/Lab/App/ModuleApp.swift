/// An app that is one module of a user's own, driven by taps.
package final class ModuleApp<Module: Sendable>: LabApp {
    /// The module of this launch.
    package let module: Module
    private let work: @Sendable (Module) async -> Void

    /// Makes the app around `module`; `work` is what the module does by itself until its process ends.
    package init(_ module: Module, work: @escaping @Sendable (Module) async -> Void) {
        self.module = module
        self.work = work
    }

    /// Does the module's own work.
    package func run() async {
        await work(module)
    }

    /// Does a tap; the built-in app's actions are not for this one.
    package func perform(_ action: AppAction) async throws {
        guard case .tap(let tap) = action else {
            preconditionFailure("an app of one module takes taps only")
        }
        try await tap(self)
    }
}
