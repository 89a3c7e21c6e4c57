import CaptureAnalysis
import Foundation
import Measurements
import PhoneModel
import Profiles
import Quantities
import SQLiteStore
import ServerModel
import SimulationKernel
import Trace

/// Runs one seed of one scenario from beginning to end, and judges it.
package struct SeedRunner {
    /// What to do beside running.
    package struct Options: Sendable {
        /// Keeps what the report draws of this seed.
        package var recordsTimeline = false
        /// Keeps the numbered list of points at which the app can be made to die.
        package var recordsEffects = false
        /// Makes the app die at its k-th effect; nil for no such death.
        package var death: DeathPlan?
        /// Loses the response to this request of the run, counted from one; nil for none.
        package var lostResponse: Int?
        /// Faults on top of the profile's own: a hunt's plan.
        package var plan: [FaultEntry] = []
        /// Whether metrics are counted; a hunt asks for broken guarantees alone.
        package var measures = true
        /// Keeps the whole story of the run, in words.
        package var tellsStory = false
        /// Faults that are left out, by index, and why.
        package var skippedFaults: [Int: String] = [:]
        /// Searches for what would have saved most energy.
        package var findsAdvice = false
        /// Whether the app is played; without it, only what surrounds it is.
        package var playsApp = true
        /// Makes further takers of what is observed, before the run.
        package var sinks: [@Sendable () -> any ObservationSink] = []
        /// How asynchronous code is captured.
        package var mode = LabMode.current
        /// Keeps the kernel events of these numbers, to be compared with those of another run.
        package var recordedEvents: Range<UInt64>?
        /// Writes every packet of the phone's modems to a file; nil for none.
        package var capture: CapturePlan?

        /// Makes options that do nothing beside.
        package init() {}
    }

    /// A death at the k-th effect of one launch.
    package struct DeathPlan: Sendable {
        /// Which launch, counted from one.
        package var launch: Int
        /// Which effect of that launch.
        package var plan: KillPlan
        /// How long the app stays dead.
        package var relaunch: Duration
        /// What it dies of: a kill, or the phone's loss of power.
        package var cause: ExitCause

        /// Makes a plan.
        package init(
            launch: Int = 1,
            plan: KillPlan,
            relaunch: Duration = .seconds(2),
            cause: ExitCause = .injectedKill
        ) {
            self.launch = launch
            self.plan = plan
            self.relaunch = relaunch
            self.cause = cause
        }
    }

    /// One world at a time in a process: SQLite's random numbers and default VFS are shared.
    static let turn = NSLock()

    /// The scenario.
    package let scenario: Scenario
    let setup: WorldSetup

    /// Makes a runner of a scenario.
    package init(scenario: Scenario, setup: WorldSetup = WorldSetup()) {
        self.scenario = scenario
        self.setup = setup
    }

    /// Runs `seed`; throws `KernelFault` when the lab itself broke.
    ///
    /// - Throws: `KernelFault`, or `CaptureError` when the packets could not be written.
    package func run(seed: UInt64, options: Options = Options()) throws -> SeedRun {
        Self.turn.lock()
        defer { Self.turn.unlock() }
        if let fleet = scenario.scenario.fleet, !fleet.isOfPhones {
            return try run(fleet, seed: seed, options)
        }
        let started = ContinuousClock.now
        let without =
            options.playsApp && options.measures ? counterfactualRadioEnergy(seed: seed) : nil
        SQLiteHeap.beginWorld()
        SQLiteVFS.resetGlobalRandomness()
        let scenario = scenario.adding(options.plan)
        let world = World(
            scenario: scenario,
            seed: seed,
            mode: options.mode,
            options: options,
            setup: setup
        )
        if let window = options.recordedEvents { world.simulation.record(events: window) }
        let judge = SeedJudge(
            setting(scenario, seed: seed, options: options, counterfactual: without)
        )
        world.observations.add(judge)
        let capture = try options.capture.map { try world.captureWriter($0) }
        if let capture { world.observations.add(capture) }
        // Advice is about what one phone sent: a fleet's packets tell nothing of it.
        let isAdvised = options.findsAdvice && scenario.scenario.fleet == nil
        let advisor = isAdvised ? world.adviceRecorder() : nil
        if let advisor { world.observations.add(advisor) }
        TrapNote.set("seed \(seed) of \(scenario.name)")
        defer { TrapNote.set(nil) }
        let teller = options.tellsStory ? StoryTeller(faults: scenario.faults.map(\.title)) : nil
        if let teller { world.observations.add(teller) }
        for make in options.sinks { world.observations.add(make()) }
        let fault = world.play()
        defer { world.retire() }
        if let fault { throw fault }
        try capture?.check()
        let spent = ContinuousClock.now - started
        var result = judge.result(
            mode: options.mode.rawValue,
            fingerprint: "\(world.simulation.fingerprint)",
            hostNanoseconds: spent.wholeNanoseconds
        )
        let radios = scenario.conditions.radios
        result.advice = advisor?.advice(
            [(.cellular, radios.cellular), (.wifi, radios.wifi)],
            most: 3
        )
        excuseFaults(of: scenario, in: &result)
        return SeedRun(
            result: result,
            counts: judge.counts,
            effects: world.recordedEffects,
            census: world.census,
            story: teller?.lines ?? [],
            fingerprint: world.simulation.fingerprint,
            events: world.simulation.handledEvents,
            recordedEvents: world.simulation.recordedEvents
        )
    }

    private func run(
        _ fleet: FleetConfiguration,
        seed: UInt64,
        _ options: Options
    ) throws -> SeedRun {
        let started = ContinuousClock.now
        let world = FleetWorld(scenario: scenario, fleet: fleet, seed: seed, mode: options.mode)
        if let window = options.recordedEvents { world.simulation.record(events: window) }
        var setting = setting(scenario, seed: seed, options: options, counterfactual: nil)
        setting.countsPackets = false
        setting.scope.tracksRequests = false
        let judge = SeedJudge(setting)
        world.observations.add(judge)
        let fault = world.play()
        defer { world.retire() }
        if let fault { throw fault }
        let spent = ContinuousClock.now - started
        var result = judge.result(
            mode: options.mode.rawValue,
            fingerprint: "\(world.simulation.fingerprint)",
            hostNanoseconds: spent.wholeNanoseconds
        )
        excuseFaults(of: scenario, in: &result)
        return SeedRun(
            result: result,
            counts: judge.counts,
            effects: [],
            census: nil,
            story: [],
            fingerprint: world.simulation.fingerprint,
            events: world.simulation.handledEvents,
            recordedEvents: world.simulation.recordedEvents
        )
    }

    /// A fault that need not fire is no reason to call the run vacuous.
    private func excuseFaults(of scenario: Scenario, in result: inout SeedResult) {
        for fault in scenario.faults where !fault.isStrict {
            guard let index = result.faults.firstIndex(where: { $0.index == fault.index }),
                result.faults[index].fired == 0, result.faults[index].skipped == nil
            else { continue }
            result.faults[index].skipped = "it is not strict and never came due"
        }
    }

    private func setting(
        _ scenario: Scenario,
        seed: UInt64,
        options: Options,
        counterfactual: Energy?
    ) -> SeedJudge.Setting {
        var setting = SeedJudge.Setting(
            scope: GuaranteeScope(
                seed: seed,
                faultNames: scenario.faults.map(\.title),
                effectKinds: ["message.send", "like.toggle", TapPlan.namedKind],
                untoldKinds: ["message.send", "like.toggle", TapPlan.namedKind],
                anonymousKinds: setup.tapsTakeEffect ? [TapPlan.kind] : []
            ),
            capacity: scenario.conditions.device.model.battery,
            counterfactualRadioEnergy: counterfactual,
            otherOwners: Set(scenario.conditions.otherApps.map(\.owner)),
            skippedFaults: options.skippedFaults,
            measures: options.measures,
            recordsTimeline: options.recordsTimeline
        )
        if let fleet = scenario.scenario.fleet {
            if fleet.isOfPhones { setting.phones = fleet.clients }
            let server = scenario.conditions.server.configuration
            setting.server = SeedJudge.ServerTrack(capacity: server.capacity)
        }
        return setting
    }
}

/// What came out of one seed.
package struct SeedRun: Sendable {
    /// The judged result.
    package let result: SeedResult
    /// What the person was told of their actions, and what became of them at the server.
    package let counts: GuaranteeCounts
    /// Every effect of every launch, if they were recorded: the points at which it can die.
    package let effects: [(launch: Int, record: EffectRecord)]
    /// What happened, counted, if effects were recorded.
    package let census: RunCensus?
    /// The whole story, if it was asked for.
    package let story: [StoryLine]
    /// The fingerprint with its checkpoints.
    package let fingerprint: Fingerprint
    /// Kernel events.
    package let events: UInt64
    /// The kernel events that were to be kept.
    package let recordedEvents: [EventRecord]
}

extension FaultEntry {
    /// The fault as reports name it: kind, and where it was placed.
    package var title: String {
        switch placement {
        case .at(let instant): "\(kind.rawValue) at \(instant.compactText)"
        case .after(let anchor, let nth): "\(kind.rawValue) after \(anchor.rawValue) \(nth)"
        case .during(let anchor, let nth, let effect):
            "\(kind.rawValue) during \(anchor.rawValue) \(nth), write \(effect)"
        case .request(let route, let nth): "\(kind.rawValue) to \(route ?? "any route") \(nth)"
        case .inside(let place): "\(kind.rawValue) \(place.text)"
        case .poisson(let mean): "\(kind.rawValue) randomly every \(mean.compactText)"
        }
    }
}
