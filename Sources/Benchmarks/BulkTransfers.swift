import NetworkModel
import SimulationKernel

/// w3: N phones on links of their own, each sending chunks of 64 KiB in one TCP connection.
enum BulkTransfers {
    static func run(clients: Int, chunks: Int) {
        let setUp = Stopwatch()
        let probe = BulkTransferProbe(clients: clients, bytesEach: Int64(chunks) * 65_536)
        let setUpTime = setUp.seconds
        let watch = Stopwatch()
        probe.run()
        ResultLine.print(
            "W3",
            "onebar packet-level TCP",
            clients,
            Int(probe.bytesReceived / 65_536),
            setUp: setUpTime,
            wall: watch.seconds,
            end: probe.simulation.instant
        )
    }
}
