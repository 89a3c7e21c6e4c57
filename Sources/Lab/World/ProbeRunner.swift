import Foundation
import Quantities
import SimulationKernel
import Trace

/// Asks the app what a test wants to know of it, as code of the launch that runs.
///
/// While the app is dead or suspended nothing is asked; a question that a kill cut has no answer.
final class ProbeRunner: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private unowned let world: World
    private let plans: [ProbePlan]

    init(world: World, plans: [ProbePlan]) {
        self.world = world
        self.plans = plans
    }

    /// Schedules the first question of each plan; `calm` is when everything has healed.
    func begin(calm: SimulationInstant) {
        for plan in plans {
            switch plan.question {
            case .throughout(let ask):
                repeatedly(from: .zero + plan.interval, every: plan.interval) { app, launch in
                    launch.incarnation.start { await ask(app) }
                }
            case .eventually(let name, let span, let holds):
                let quest = Quest(name: name, span: span, holds: holds)
                repeatedly(from: calm, every: plan.interval) { [self] app, launch in
                    ask(quest, of: app, launch)
                }
                // After the last question, whose answer may take no time.
                world.schedule(at: calm + span) { [self] in
                    world.schedule(at: calm + span) { [self] in judge(quest) }
                }
            }
        }
    }

    private func repeatedly(
        from start: SimulationInstant,
        every interval: Duration,
        _ ask: @escaping (any LabApp, LaunchSeams) -> Void
    ) {
        guard start < world.end else { return }
        world.schedule(at: start) { [self] in
            if let launch = world.phone.launch, let app = launch.app, launch.incarnation.canAct,
                !launch.incarnation.isSuspended
            {
                ask(app, launch)
            }
            repeatedly(from: start + interval, every: interval, ask)
        }
    }

    /// Something that has to be true in the end, and what was heard of it so far.
    private final class Quest: @unchecked Sendable {
        // Confined to the thread that hosts the world.
        let name: String
        let span: Duration
        let holds: @Sendable (any LabApp) async throws -> Bool
        var isMet = false
        var asked = 0
        var lastAnswer: String?

        init(
            name: String,
            span: Duration,
            holds: @escaping @Sendable (any LabApp) async throws -> Bool
        ) {
            self.name = name
            self.span = span
            self.holds = holds
        }
    }

    private func ask(_ quest: Quest, of app: any LabApp, _ launch: LaunchSeams) {
        guard !quest.isMet else { return }
        quest.asked += 1
        launch.incarnation.start {
            do {
                let holds = try await quest.holds(app)
                launch.atLocalTime {
                    quest.isMet = quest.isMet || holds
                    quest.lastAnswer = holds ? "yes" : "no"
                }
            } catch {
                let reason = RefusalReason.text(of: error)
                launch.atLocalTime { quest.lastAnswer = "an error, \(reason)" }
            }
        }
    }

    private func judge(_ quest: Quest) {
        guard !quest.isMet else { return }
        let answer =
            quest.asked == 0
            ? "nobody could be asked: the app was not there"
            : "asked \(quest.asked) times, "
                + (quest.lastAnswer.map { "the last answer was \($0)" } ?? "it never answered")
        world.report(
            .guaranteeBroken(
                name: quest.name,
                message: "it was not so within \(quest.span.compactText) after everything had "
                    + "healed: \(answer)"
            ),
            device: world.phone.device
        )
    }
}
