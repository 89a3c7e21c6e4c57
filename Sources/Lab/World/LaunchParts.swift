import ClientModules
import Measurements
import NetworkModel
import PhoneModel
import Profiles
import Quantities
import SQLiteStore
import SimulationKernel
import Trace

/// What one process of the app has of the phone, made anew for each: an HTTP client, signals, SQLite's files, and
/// the context that holds them all.
struct LaunchParts {
    /// Its HTTP client.
    let engine: HTTPClientEngine
    /// What it is told of the way to the internet.
    let path: SimulatedPath
    /// Lifecycle and memory pressure as it is told of them.
    let signals: SimulatedSignals
    /// Where its databases lie.
    let vfs: SQLiteVFS
    /// What its factory is given.
    let context: LaunchContext

    /// Makes the parts of one launch.
    ///
    /// A second process has no screen: nobody looks at its pictures, its progress or what it shows. The system
    /// gives it no windows and carries nothing out for it.
    init(of phone: Phone, for seams: LaunchSeams, isSecond: Bool = false) {
        let world = phone.world
        let simulation = phone.simulation
        let incarnation = seams.incarnation
        let isBlocked = phone.system?.blocksNetwork ?? false
        engine = HTTPClientEngine(
            network: phone.network,
            settings: world.scenario.clientSettings
        )
        engine.isBlocked = isBlocked
        path = SimulatedPath(
            network: phone.network,
            fanout: SignalFanout(incarnation: incarnation, simulation: simulation),
            isConstrained: phone.system?.configuration.savesData ?? false,
            isBlocked: isBlocked
        )
        let isInFront = phone.lifecycle.state == .foreground && !isSecond
        signals = SimulatedSignals(
            phase: SignalFanout(incarnation: incarnation, simulation: simulation),
            pressure: SignalFanout(incarnation: incarnation, simulation: simulation),
            startingIn: isInFront ? .foreground : .background
        )
        if let system = phone.system, !isSecond {
            seams.background = SimulatedBackground(
                system: system,
                incarnation: incarnation,
                fanout: SignalFanout(incarnation: incarnation, simulation: simulation)
            )
            seams.transfers = SimulatedTransfers(
                system: system,
                incarnation: incarnation,
                fanout: SignalFanout(incarnation: incarnation, simulation: simulation)
            )
        }
        vfs = PhoneDisk.vfs(
            for: seams,
            streamPrefix: phone.identity.prefix,
            simulation: simulation,
            wallClock: phone.wallClock,
            profile: phone.disk.profile
        )
        let environment = ClientEnvironment(
            transport: SimulatedTransport(
                world: world,
                phone: phone,
                launch: seams,
                engine: engine
            ),
            backgroundTransfers: seams.transfers,
            background: seams.background,
            clock: SimulatedClock(
                incarnation: incarnation,
                simulation: simulation,
                wallClock: phone.wallClock
            ),
            random: SimulatedRandom(
                stream: simulation.stream(
                    "app",
                    entity: phone.identity.prefix + incarnation.label,
                    purpose: "random"
                )
            ),
            path: path,
            signals: signals,
            files: seams.files,
            sqliteVFS: vfs.name,
            directory: Phone.directory,
            memory: seams.memory,
            process: isSecond ? incarnation.process.name : ""
        )
        context = Self.context(environment, of: phone, for: seams, isSecond: isSecond)
    }

    private static func context(
        _ environment: ClientEnvironment,
        of phone: Phone,
        for seams: LaunchSeams,
        isSecond: Bool
    ) -> LaunchContext {
        let world = phone.world
        let driver = phone.workload
        let rows = phone.rows
        let session = phone.session
        let needs = world.needs
        return LaunchContext(
            environment: environment,
            configuration: world.scenario.scenario.app,
            number: isSecond ? phone.incarnations.count : seams.incarnation.number,
            needs: isSecond ? needs.ofSecondProcess : needs,
            decoder: SimulatedDecoder(
                world: world,
                launch: seams,
                processor: world.scenario.conditions.device.model.processor
            ),
            server: world.address,
            signIn: session?.signIn,
            sessionObserver: { event in session?.heard(event, from: seams) },
            outboxObserver: { event in driver.heard(event, from: seams) },
            uploadObserver: { event in
                if isSecond, case .progress = event { return }
                driver.heard(event, from: seams)
            },
            rowObserver: { event in rows.heard(event, from: seams) },
            shown: { identity in
                guard !isSecond else { return }
                driver.isShown(identity, by: seams)
            },
            waited: { span in
                guard !isSecond else { return }
                seams.report(.userWaited(span))
            },
            measured: { name, value in
                // Under a name of the lab's own, the lab's figure stands.
                guard MetricName(name).definition == nil else { return }
                seams.report(.measured(name: name, value: value))
            },
            broke: { name, message, subject in
                seams.report(.guaranteeBroken(name: name, message: message, subject: subject))
            },
            canAct: { !seams.isClosed && seams.incarnation.canAct },
            log: { line in seams.log(line) }
        )
    }
}
