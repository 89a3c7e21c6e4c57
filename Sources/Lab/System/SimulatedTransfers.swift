import ClientModules
import Foundation
import PhoneModel
import Quantities
import SimulationKernel

/// The system's transfers, as one launch sees them.
final class SimulatedTransfers: BackgroundTransfers, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private unowned let system: PhoneSystem
    private let incarnation: Incarnation
    private let fanout: SignalFanout<BackgroundTransferResult>

    init(
        system: PhoneSystem,
        incarnation: Incarnation,
        fanout: SignalFanout<BackgroundTransferResult>
    ) {
        self.system = system
        self.incarnation = incarnation
        self.fanout = fanout
    }

    var timeLimit: Duration? { system.transfers.timeLimit }

    func start(
        _ request: HTTPRequest,
        file: String,
        range: Range<Int64>,
        identifier: String
    ) async throws {
        let line = RouteTemplate.line(method: request.method, url: request.url)
        let _: Void = try await incarnation.suspend { resumption in
            // At the local time of the lane that asks: a kill before that takes it back.
            guard incarnation.effect(.send, "\(line) by the system") else { return }
            system.world.simulation.handOver { [self] in
                system.transfers.accept(
                    request,
                    file: file,
                    range: range,
                    identifier: identifier
                )
                resumption.resume(returning: ())
            }
        }
    }

    func pending() async -> [String] { system.transfers.identifiers }

    func cancel(identifier: String) async {
        system.world.simulation.handOver { [self] in system.transfers.cancel(identifier) }
    }

    func results() -> AsyncStream<BackgroundTransferResult> {
        let stream = fanout.stream(startingWith: nil)
        for result in system.transfers.results { fanout.send(result) }
        return stream
    }

    func confirm(identifier: String) async {
        system.world.simulation.handOver { [self] in system.transfers.confirm(identifier) }
    }

    /// Tells the app of a result, if it listens.
    func deliver(_ result: BackgroundTransferResult) { fanout.send(result) }
}
