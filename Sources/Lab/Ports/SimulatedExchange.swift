import ClientModules
import Foundation
import HTTPVocabulary
import NetworkModel
import Quantities
import ServerModel
import SimulationKernel
import Trace

/// One request of one launch, between the client's `await` and the network's events.
final class SimulatedExchange: HTTPClientEvents, @unchecked Sendable {
    struct Head: Sendable {
        let status: Int
        let fields: HTTPFieldList
    }

    // Confined to the thread that hosts the world.
    private unowned let world: World
    private unowned let phone: Phone
    private let launch: LaunchSeams
    private let engine: HTTPClientEngine
    private let request: HTTPRequest
    private let body: HTTPRequestBody
    private let progress: (@Sendable (Int64) -> Void)?
    private let number: Int64

    private var token: RequestToken?
    private var headResumption: Resumption<Head>?
    private var chunkResumption: Resumption<Data?>?
    private var status = 0
    private var chunks: [Data] = []
    private var isFinished = false
    private var failure: URLError?
    private var sentCharge: MemoryCharge?
    private var received: Int64 = 0
    /// When an answer came that may ask for patience.
    private var refusedAt: SimulationInstant?

    init(
        world: World,
        phone: Phone,
        launch: LaunchSeams,
        engine: HTTPClientEngine,
        request: HTTPRequest,
        body: HTTPRequestBody,
        progress: (@Sendable (Int64) -> Void)?
    ) {
        self.world = world
        self.phone = phone
        self.launch = launch
        self.engine = engine
        self.request = request
        self.body = body
        self.progress = progress
        number = world.nextRequestNumber()
    }

    // MARK: The client's side

    /// Hands the request to the network, at the local time of the lane that asks.
    func begin(_ resumption: Resumption<Head>) {
        headResumption = resumption
        let line = RouteTemplate.line(method: request.method, url: request.url)
        guard launch.incarnation.effect(.send, line) else { return }
        world.simulation.handOver { [self] in transmit() }
    }

    /// The calling task was cancelled.
    func cancel() {
        guard failure == nil, !isFinished else { return }
        if let token { world.simulation.asWorld { engine.cancel(token) } }
        fail(URLError(.cancelled))
    }

    /// How long a process can have been busy without its threads having a queue, and how long that takes it (both
    /// assumptions): what else is in the queue runs first, in any order.
    private static let queue = Duration.milliseconds(100)

    /// The client's code has the head of the answer.
    func headWasSeen() {
        guard let refusedAt else { return }
        let seen = world.simulation.now
        let wasBusy = seen - refusedAt >= Self.queue
        world.server.answerWasSeen(number: number, at: wasBusy ? seen + Self.queue : seen)
    }

    /// The next piece of the response's body.
    func nextChunk() async throws -> Data? {
        if !chunks.isEmpty { return chunks.removeFirst() }
        if let failure { throw failure }
        if isFinished { return nil }
        return try await launch.incarnation.suspend(
            onCancel: { [self] _ in cancel() },
            { [self] resumption in chunkResumption = resumption }
        )
    }

    // MARK: The network's side

    private func transmit() {
        guard failure == nil else { return }
        let head = makeHead()
        let owner = request.purpose
        world.report(
            .requestStarted(
                RequestStart(
                    request: number,
                    method: request.method,
                    route: RouteTemplate.line(method: request.method, url: request.url),
                    operation: phone.operations.key(for: request),
                    bodySize: ByteCount(body.count),
                    owner: owner
                )
            ),
            device: launch.device
        )
        launch.requestBegan(number)
        sentCharge = launch.memory.charge(
            ByteCount(min(body.count, body.isInMemory ? .max : Self.streamBuffer)),
            holder: "request bodies"
        )
        let options = RequestOptions(
            number: number,
            owner: owner,
            idleTimeout: request.idleTimeout,
            security: world.security
        )
        token = engine.send(head, body: makeBody(), options: options, events: self)
    }

    /// What a file's body occupies while it is sent: an assumption, a socket buffer's worth.
    private static let streamBuffer: Int64 = 64 << 10

    private func makeHead() -> HTTPRequestHead {
        var target = request.url.path(percentEncoded: true)
        if target.isEmpty { target = "/" }
        if let query = request.url.query(percentEncoded: true) { target += "?\(query)" }
        return HTTPRequestHead(
            method: request.method,
            host: request.url.host() ?? "",
            target: target,
            fields: HTTPFieldList(request.headers.map { ($0.name, $0.value) }),
            bodyLength: Int(body.count)
        )
    }

    private func makeBody() -> (any RequestBodySource)? {
        switch body {
        case .none: nil
        case .data(let data): MemoryBody([UInt8](data))
        case .file(let path, let range): FileBody(files: launch.files, path: path, range: range)
        }
    }

    func handedOver(_ bytes: Int64, of token: RequestToken) {
        guard let progress, launch.incarnation.isAlive else { return }
        launch.incarnation.enter { progress(bytes) }
    }

    func responseHead(status: Int, fields: HTTPFieldList, of token: RequestToken) {
        self.status = status
        sentCharge?.release()
        phone.faults.responseArrived(
            status: status,
            number: number,
            request: request,
            launch: launch
        )
        if status >= 300, headResumption != nil {
            refusedAt = world.simulation.instant
            world.server.answerArrived(number: number)
        }
        headResumption?.resume(returning: Head(status: status, fields: fields))
        headResumption = nil
    }

    func bodyChunk(_ bytes: [UInt8], of token: RequestToken) {
        received += Int64(bytes.count)
        let data = launch.memory.chargedData(bytes, holder: "response buffers")
        if let waiting = chunkResumption {
            chunkResumption = nil
            waiting.resume(returning: data)
        } else {
            chunks.append(data)
        }
    }

    func finished(_ token: RequestToken) {
        isFinished = true
        // A picture is decoded, and that is counted there.
        if request.purpose != "images" {
            phone.energy.parsed(ByteCount(received), owner: request.purpose)
        }
        end(.status(status))
        chunkResumption?.resume(returning: nil)
        chunkResumption = nil
    }

    func failed(_ failure: TransportFailure, of token: RequestToken) {
        fail(URLError(failure.urlErrorCode))
    }

    private func fail(_ error: URLError) {
        failure = error
        sentCharge?.release()
        end(.failure(error.code.name))
        headResumption?.resume(throwing: error)
        chunkResumption?.resume(throwing: error)
        headResumption = nil
        chunkResumption = nil
    }

    private func end(_ result: RequestEnd.Result) {
        guard token != nil else { return }
        launch.requestEnded(number)
        world.report(
            .requestEnded(RequestEnd(request: number, result: result)),
            device: launch.device
        )
    }
}

extension HTTPRequestBody {
    fileprivate var isInMemory: Bool {
        if case .data = self { true } else { false }
    }
}
