import PhoneModel
import Profiles
import Quantities
import SQLiteStore
import SimulationKernel
import Trace

/// What one launch of the app holds of the world.
///
/// All of it is inert once the launch is dead.
final class LaunchSeams: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    let incarnation: Incarnation
    let device: Int
    let label: ProcessLabel
    let files: SimulatedFileStore
    let client: DiskClient
    let memory: LaunchMemory
    /// The app, once its factory has returned.
    var app: (any LabApp)?
    /// Whether the app's factory gave up, such as on a phone that was locked.
    var couldNotStart = false
    /// The run is over: what is released from here on says nothing.
    var isClosed = false
    /// What it may ask of the system; nil where there is no policy.
    var background: SimulatedBackground?
    var transfers: SimulatedTransfers?
    /// Requests on their way, in the order they were sent.
    private(set) var openRequests: [Int64] = []
    /// What waits for the app to be there.
    private var onReady: [(any LabApp) -> Void] = []
    private var askedToWait: [(request: Int64, at: SimulationInstant)] = []
    private unowned let world: World

    init(
        world: World,
        incarnation: Incarnation,
        device: Int,
        label: ProcessLabel,
        files: SimulatedFileStore,
        client: DiskClient,
        memory: LaunchMemory
    ) {
        self.world = world
        self.incarnation = incarnation
        self.device = device
        self.label = label
        self.files = files
        self.client = client
        self.memory = memory
    }

    /// Reports what the app did, at the local time of its lane: a kill before that takes it back.
    func report(_ observation: Observation) {
        atLocalTime { [self] in world.report(observation, device: device) }
    }

    /// Does `body` at the local time of the running lane, unless the launch dies before.
    func atLocalTime(_ body: @escaping () -> Void) {
        guard !isClosed, incarnation.canAct else { return }
        let simulation = world.simulation
        guard simulation.now > simulation.instant else { return body() }
        simulation.schedule(at: simulation.now) { [self] in
            guard incarnation.isAlive else { return }
            body()
        }
    }

    /// Does `body` with the app as soon as its factory has returned.
    func whenReady(_ body: @escaping (any LabApp) -> Void) {
        guard let app else { return onReady.append(body) }
        body(app)
    }

    /// The app is there.
    func isReady(_ made: any LabApp) {
        app = made
        let waiting = onReady
        onReady = []
        for body in waiting { body(made) }
    }

    /// A request has left.
    func requestBegan(_ number: Int64) { openRequests.append(number) }

    /// A request has come to its end.
    func requestEnded(_ number: Int64) { openRequests.removeAll { $0 == number } }

    /// The server asked the app to wait, in the answer to this request that has just arrived.
    func wasAskedToWait(by request: Int64) {
        askedToWait.append((request, world.simulation.instant))
    }

    /// Answers that asked to wait and could not be written down in this launch's life.
    ///
    /// A process may have died in the very commit that would have kept one; no client can do better.
    func unstoredWaits() -> [Int64] {
        let time = StoringTime(
            refusals: client.refusals,
            ceiling: world.scenario.scenario.app.retry.ceiling
        )
        let now = world.simulation.instant
        return askedToWait.filter { !time.wasEnough(from: $0.at, to: now) }.map(\.request)
    }

    /// Reports a line of the app's log; addresses in it lose their queries.
    func log(_ line: String) {
        report(.logged(label, RefusalReason.withoutQueries(line)))
    }
}
