import HTTPVocabulary
import Quantities

/// What takes an answer back to the client.
protocol ServerAnswering: AnyObject {
    /// Sends the response to `exchange`.
    func answer(_ response: HTTPResponseMessage, to exchange: ServerExchange)
    /// Breaks the connection without an answer.
    func abort()
    /// When bytes of a request last arrived behind a gap, in nanoseconds of the world; nil if none did.
    func lastArrivalBehindGap(of exchange: ServerExchange) -> Int64?
}

/// One request at the server, answered through the connection that it came by.
final class ServerExchange: HTTPExchange {
    let number: Int64
    let device: Int
    let head: HTTPRequestHead
    private weak var session: (any ServerAnswering)?
    /// Kept, so that what the client knew in the end can still be asked when the answer is long gone.
    private let request: ActiveRequest?
    private(set) var isAnswered = false
    var isWhole = false

    init(
        number: Int64,
        device: Int,
        head: HTTPRequestHead,
        session: any ServerAnswering,
        request: ActiveRequest?
    ) {
        self.number = number
        self.device = device
        self.head = head
        self.session = session
        self.request = request
    }

    var clientState: HTTPClientState? { request?.clientState ?? .gone }
    var clientBegan: Int64? { request?.startedAt.nanoseconds }
    var clientAnswered: Int64? { request?.answeredAt?.nanoseconds }

    var lastArrivalBehindGap: Int64? { session?.lastArrivalBehindGap(of: self) }

    func respond(_ response: HTTPResponseMessage) {
        guard !isAnswered else { return }
        isAnswered = true
        session?.answer(response, to: self)
    }

    func abort() {
        guard !isAnswered else { return }
        isAnswered = true
        session?.abort()
    }
}
