import ClientModules
import Foundation
import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Trace

/// One client's way to the server: half a round trip there, half back, and nothing in between.
///
/// Connections are open and never full: what is studied is when requests come, not how their bytes
/// travel. A server that takes no connection is told of after a whole round trip.
final class FleetTransport: HTTPTransport, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private unowned let world: FleetWorld
    private let incarnation: Incarnation
    private let device: Int
    private let operation: String

    init(world: FleetWorld, incarnation: Incarnation, device: Int, operation: String) {
        self.world = world
        self.incarnation = incarnation
        self.device = device
        self.operation = operation
    }

    func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody,
        progress: (@Sendable (_ bytesHandedOver: Int64) -> Void)?
    ) async throws -> HTTPResponse {
        let exchange = FleetExchange(world: world, device: device, request: request)
        let operation = operation
        let answer: HTTPResponseMessage = try await incarnation.suspend(
            onCancel: { _ in exchange.cancel() },
            { resumption in exchange.begin(resumption, operation: operation) }
        )
        return HTTPResponse(
            status: answer.status,
            headers: answer.fields.fields.map { HTTPHeader($0.name, $0.value) },
            nextChunk: { nil }
        )
    }
}

/// One request of one client, from its send to its answer.
final class FleetExchange: HTTPExchange, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    let number: Int64
    let device: Int
    let head: HTTPRequestHead
    private unowned let world: FleetWorld
    private let route: String
    private let owner: String
    private var waiting: Resumption<HTTPResponseMessage>?
    private var isAtServer = false
    private var isOver = false

    init(world: FleetWorld, device: Int, request: HTTPRequest) {
        self.world = world
        self.device = device
        number = world.nextRequestNumber()
        owner = request.purpose
        // All ask for the same: taking its address apart again for each attempt would cost most of it.
        route = world.routeLine
        var head = world.head
        for field in request.headers { head.fields.append(field.name, field.value) }
        self.head = head
    }

    var clientState: HTTPClientState? { isOver ? .gone : .waiting }

    /// Sends the request; it arrives half a round trip later.
    func begin(_ resumption: Resumption<HTTPResponseMessage>, operation: String) {
        waiting = resumption
        world.report(
            .requestStarted(
                RequestStart(
                    request: number,
                    method: head.method,
                    route: route,
                    operation: operation,
                    bodySize: .zero,
                    owner: owner
                )
            ),
            device: device
        )
        world.after(world.oneWay) { [self] in arrive() }
    }

    /// The client gave up; the server learns of it as it answers.
    func cancel() {
        fail(URLError(.cancelled))
        if isAtServer { world.server.lost(self) }
    }

    private func arrive() {
        guard !isOver else { return }
        guard world.server.acceptsConnections else {
            return world.after(world.oneWay) { [self] in fail(URLError(.cannotConnectToHost)) }
        }
        isAtServer = true
        world.server.begin(self)
        world.server.end(self)
    }

    func respond(_ response: HTTPResponseMessage) {
        isAtServer = false
        world.after(world.oneWay) { [self] in
            guard !isOver else { return }
            isOver = true
            world.report(
                .requestEnded(RequestEnd(request: number, result: .status(response.status))),
                device: device
            )
            waiting?.resume(returning: response)
            waiting = nil
        }
    }

    func abort() {
        isAtServer = false
        world.after(world.oneWay) { [self] in fail(URLError(.networkConnectionLost)) }
    }

    private func fail(_ error: URLError) {
        guard !isOver else { return }
        isOver = true
        world.report(
            .requestEnded(RequestEnd(request: number, result: .failure(error.code.name))),
            device: device
        )
        waiting?.resume(throwing: error)
        waiting = nil
    }
}
