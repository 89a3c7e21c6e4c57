import ClientModules
import Foundation
import HTTPVocabulary
import NetworkModel
import Quantities
import SimulationKernel
import Trace

/// The HTTP client of one launch: URLSession's behaviour on the simulated network.
final class SimulatedTransport: HTTPTransport, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private unowned let world: World
    private unowned let phone: Phone
    private let launch: LaunchSeams
    private let engine: HTTPClientEngine

    init(world: World, phone: Phone, launch: LaunchSeams, engine: HTTPClientEngine) {
        self.world = world
        self.phone = phone
        self.launch = launch
        self.engine = engine
    }

    func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody,
        progress: (@Sendable (_ bytesHandedOver: Int64) -> Void)?
    ) async throws -> HTTPResponse {
        let exchange = SimulatedExchange(
            world: world,
            phone: phone,
            launch: launch,
            engine: engine,
            request: request,
            body: body,
            progress: progress
        )
        let head: SimulatedExchange.Head = try await launch.incarnation.suspend(
            onCancel: { _ in exchange.cancel() },
            { resumption in exchange.begin(resumption) }
        )
        exchange.headWasSeen()
        return HTTPResponse(
            status: head.status,
            headers: head.fields.fields.map { HTTPHeader($0.name, $0.value) },
            nextChunk: { try await exchange.nextChunk() }
        )
    }
}
