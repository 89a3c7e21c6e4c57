import Lab
import Quantities

/// Guarantees that the lab asks your module about, instead of your code checking them.
extension TestPhone {
    /// Demands that the answer is yes whenever the lab asks; an error is a no.
    public func always(
        _ name: String,
        every interval: Duration = .seconds(1),
        _ holds: @escaping @Sendable (Module) async throws -> Bool
    ) {
        ask(world.always(name), every: interval, onError: false, holds)
    }

    /// Demands that the answer is no whenever the lab asks; an error is a yes.
    public func never(
        _ name: String,
        every interval: Duration = .seconds(1),
        _ holds: @escaping @Sendable (Module) async throws -> Bool
    ) {
        ask(world.never(name), every: interval, onError: true, holds)
    }

    /// Demands that the answer is yes once at least, over all runs of the test.
    public func sometimes(
        _ name: String,
        every interval: Duration = .seconds(1),
        _ holds: @escaping @Sendable (Module) async throws -> Bool
    ) {
        ask(world.sometimes(name), every: interval, onError: false, holds)
    }

    /// Demands that the answer is yes within a span after everything has healed.
    ///
    /// From then on nobody touches the phone. The lab asks until it hears a yes; the last answer, or that
    /// there was none, is told if it does not.
    public func eventually(
        _ name: String,
        within span: Duration,
        every interval: Duration = .seconds(1),
        _ holds: @escaping @Sendable (Module) async throws -> Bool
    ) {
        let book = world.book
        _ = world.declare(name, .eventually)
        world.longestWait = max(world.longestWait, span)
        world.probes.append(
            ProbePlan(
                every: interval,
                .eventually(name: name, within: span) { app in
                    book.asked(name)
                    return try await holds(Self.module(of: app))
                }
            )
        )
    }

    private func ask(
        _ guarantee: Guarantee,
        every interval: Duration,
        onError: Bool,
        _ holds: @escaping @Sendable (Module) async throws -> Bool
    ) {
        world.probes.append(
            ProbePlan(
                every: interval,
                .throughout { app in
                    do {
                        guarantee.check(try await holds(Self.module(of: app)), "when asked")
                    } catch {
                        guarantee.check(onError, "when asked, it threw \(error)")
                    }
                }
            )
        )
    }
}
