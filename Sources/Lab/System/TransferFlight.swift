import ClientModules
import Foundation
import HTTPVocabulary
import NetworkModel
import Quantities
import SimulationKernel
import Trace

/// One try of a transfer, on the system's own connections.
final class TransferFlight: HTTPClientEvents {
    private unowned let phone: Phone
    private var world: World { phone.world }
    private let request: HTTPRequest
    private let number: Int64
    private let onEnd: (Result<HTTPResponse, URLError>) -> Void
    private var token: RequestToken?
    private var head: HTTPResponse?
    private var isOver = false

    init(
        phone: Phone,
        request: HTTPRequest,
        onEnd: @escaping (Result<HTTPResponse, URLError>) -> Void
    ) {
        self.phone = phone
        self.request = request
        self.onEnd = onEnd
        number = phone.world.nextRequestNumber()
    }

    func begin(on engine: HTTPClientEngine, body: any RequestBodySource, device: Int) {
        world.report(
            .requestStarted(
                RequestStart(
                    request: number,
                    method: request.method,
                    route: RouteTemplate.line(method: request.method, url: request.url),
                    operation: phone.operations.key(for: request),
                    bodySize: ByteCount(Int64(body.length)),
                    owner: request.purpose
                )
            ),
            device: device
        )
        var target = request.url.path(percentEncoded: true)
        if target.isEmpty { target = "/" }
        if let query = request.url.query(percentEncoded: true) { target += "?\(query)" }
        token = engine.send(
            HTTPRequestHead(
                method: request.method,
                host: request.url.host() ?? "",
                target: target,
                fields: HTTPFieldList(request.headers.map { ($0.name, $0.value) }),
                bodyLength: body.length
            ),
            body: body,
            options: RequestOptions(
                number: number,
                owner: request.purpose,
                idleTimeout: request.idleTimeout,
                security: world.security
            ),
            events: self
        )
    }

    /// The system gives the try up: nothing more is told of it.
    func abandon(_ engine: HTTPClientEngine) {
        guard !isOver else { return }
        isOver = true
        if let token { engine.cancel(token) }
        ended(.failure(URLError.Code.cancelled.name))
    }

    /// The power is gone, and the connections with it.
    func forget() {
        guard !isOver else { return }
        isOver = true
        ended(.failure(URLError.Code.networkConnectionLost.name))
    }

    func handedOver(_ bytes: Int64, of token: RequestToken) {}

    func responseHead(status: Int, fields: HTTPFieldList, of token: RequestToken) {
        guard !isOver else { return }
        head = HTTPResponse(
            status: status,
            headers: fields.fields.map { HTTPHeader($0.name, $0.value) }
        )
        phone.faults.responseArrived(
            status: status,
            number: number,
            request: request,
            launch: nil
        )
    }

    func bodyChunk(_ bytes: [UInt8], of token: RequestToken) {}

    func finished(_ token: RequestToken) {
        guard !isOver, let head else { return }
        isOver = true
        ended(.status(head.status))
        onEnd(.success(head))
    }

    func failed(_ failure: TransportFailure, of token: RequestToken) {
        guard !isOver else { return }
        isOver = true
        let error = URLError(failure.urlErrorCode)
        ended(.failure(error.code.name))
        onEnd(.failure(error))
    }

    private func ended(_ result: RequestEnd.Result) {
        world.report(
            .requestEnded(RequestEnd(request: number, result: result)),
            device: phone.device
        )
    }
}
