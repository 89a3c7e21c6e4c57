import Quantities
import SimulationKernel

/// w4: N clients that try again with full jitter until a server that is down for 90 s has come back.
///
/// An attempt at 0 s; after each failure a wait of U(0, min(8 s, 0.1 s x 2^k)). The peers do the same work
/// with the same draws, so that the number of attempts is equal too.
final class RetryFleet: EventReceiver {
    /// How a client is written.
    enum Style: String {
        /// An event handler with its state in arrays.
        case events
        /// An async task that sleeps on the injected clock.
        case tasks
    }

    private static let recovery: Int64 = 90_000_000_000
    private let simulation: Simulation
    private var generators: [PeerGenerator]
    private var failures: [UInt8]
    private var arrivals: ArrivalCounts

    private init(_ simulation: Simulation, clients: Int) {
        self.simulation = simulation
        generators = (0..<clients).map { PeerGenerator(seed: UInt64($0)) }
        failures = [UInt8](repeating: 0, count: clients)
        arrivals = ArrivalCounts()
    }

    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        let now = instant.nanoseconds
        arrivals.hit(now)
        guard now < Self.recovery else { return }
        let client = Int(payload)
        let wait = Self.wait(after: failures[client], &generators[client])
        if failures[client] < 255 { failures[client] += 1 }
        simulation.schedule(
            at: SimulationInstant(nanoseconds: now + wait),
            for: self,
            payload: payload
        )
    }

    private static func wait(after failures: UInt8, _ generator: inout PeerGenerator) -> Int64 {
        let ceiling = failures >= 7 ? 8.0 : 0.1 * Double(1 << Int(failures))
        return Int64(generator.unit() * ceiling * 1e9)
    }

    static func run(clients: Int, style: Style) throws {
        let simulation: Simulation
        let count: Int
        let watch: Stopwatch
        switch style {
        case .events:
            watch = Stopwatch()
            simulation = Simulation(seed: 1)
            let fleet = RetryFleet(simulation, clients: clients)
            for client in 0..<clients {
                simulation.schedule(at: .zero, for: fleet, payload: UInt64(client))
            }
            simulation.runUntilQuiescent()
            count = fleet.arrivals.total
        case .tasks:
            try ExecutorCapture.install()
            watch = Stopwatch()
            simulation = Simulation(seed: 1)
            count = runTasks(simulation, clients)
        }
        ResultLine.print(
            "W4",
            "onebar \(style.rawValue)",
            clients,
            count,
            setUp: 0,
            wall: watch.seconds,
            end: simulation.instant
        )
    }

    private static func runTasks(_ simulation: Simulation, _ clients: Int) -> Int {
        let shared = SharedArrivals()
        let incarnation = simulation.makeProcess(named: "clients").launch()
        for client in 0..<clients {
            incarnation.start {
                var generator = PeerGenerator(seed: UInt64(client))
                var failures: UInt8 = 0
                while true {
                    let now = simulation.now
                    shared.counts.hit(now.nanoseconds)
                    guard now.nanoseconds < recovery else { return }
                    let wait = wait(after: failures, &generator)
                    if failures < 255 { failures += 1 }
                    try? await incarnation.sleep(until: now + .nanoseconds(wait))
                }
            }
        }
        simulation.runUntilQuiescent()
        return shared.counts.total
    }

    /// Confined to the thread that hosts the world.
    private final class SharedArrivals: @unchecked Sendable {
        var counts = ArrivalCounts()
    }
}

/// Attempts by windows of 100 ms, as the peers count them.
struct ArrivalCounts {
    private var windows = [UInt32](repeating: 0, count: 1_200)
    /// All of them.
    private(set) var total = 0

    mutating func hit(_ nanoseconds: Int64) {
        total += 1
        let index = Int(nanoseconds / 100_000_000)
        if index < windows.count { windows[index] += 1 }
    }
}
