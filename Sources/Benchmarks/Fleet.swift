import Foundation
import NetworkModel
import Quantities
import SimulationKernel

/// N phones against one server: memory of an idle one, and time of a round of requests.
enum Fleet {
    /// Prints a line for each state of the fleet: built, connected and idle, closed and idle.
    static func run(clients: Int, rounds: Int) {
        let before = resident
        let watch = Stopwatch()
        let probe = FleetProbe(clients: clients)
        line("built", clients, watch.seconds, since: before)
        for round in 1...rounds {
            let watch = Stopwatch()
            probe.askOnce()
            probe.run(for: .seconds(40))
            line(
                "asked \(round): \(probe.openConnections) open",
                clients,
                watch.seconds,
                since: before
            )
        }
        let closing = Stopwatch()
        probe.run(for: .seconds(300))
        line("closed: \(probe.openConnections) open", clients, closing.seconds, since: before)
        print(
            "\(probe.finished) finished, \(probe.failed) failed; "
                + "\(probe.simulation.handledEvents) events"
        )
    }

    private static func line(_ state: String, _ clients: Int, _ seconds: Double, since: Int) {
        let each = (resident - since) / clients
        print("FLEET\t\(state)\t\(clients) clients\t\(each) B a client\t\(seconds) s")
    }

    /// Resident bytes of this process (proc(5), statm's second field); 0 where there is no /proc.
    private static var resident: Int {
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4_096
    }
}
