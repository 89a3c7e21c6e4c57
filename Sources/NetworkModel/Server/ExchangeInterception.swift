import HTTPVocabulary

/// A fault in the middle of one exchange: its request or its response is lost.
package struct ExchangeInterception {
    /// What is lost.
    package enum Loss: Equatable, Sendable {
        /// The server never sees the request.
        case request
        /// Only so many bytes of the request's body reach the server; a shorter body is not touched.
        case requestBody(afterBytes: Int)
        /// The server works on the request; of its answer, only so many bytes get through.
        case response(afterBytes: Int)
    }

    /// How the connection then looks to the phone.
    package enum Aftermath: String, Sendable, CaseIterable {
        /// A reset arrives: the client is told `networkConnectionLost`.
        case reset
        /// Packets vanish both ways: the client waits for its idle time.
        case blackhole
        /// Of a response alone: the server closes the connection in good order after what got through.
        case close
        /// Of a response alone: its body ends there and its length says so. Nothing tells the client.
        case shortened
    }

    /// Whether a request is concerned: as it is sent, not as its answer is given.
    var concernsRequest: Bool {
        if case .response = loss { false } else { true }
    }

    /// The response as it leaves the server: of a shortened one, a part with its own length.
    func changed(_ response: HTTPResponseMessage) -> HTTPResponseMessage {
        guard aftermath == .shortened else { return response }
        var response = response
        response.body = Array(response.body.prefix(bytes))
        if response.fields["Content-Length"] != nil {
            response.fields["Content-Length"] = String(response.body.count)
        }
        return response
    }

    /// Which requests count.
    package var matches: (HTTPRequestHead) -> Bool
    /// The how-manieth of those, from one: requests as they are sent, or responses as they are given.
    package var nth: Int
    package var loss: Loss
    package var aftermath: Aftermath
    /// Called when it happens, with the exchange's number.
    package var fired: (Int64) -> Void

    /// Makes a fault.
    package init(
        nth: Int,
        loss: Loss,
        aftermath: Aftermath = .reset,
        matches: @escaping (HTTPRequestHead) -> Bool,
        fired: @escaping (Int64) -> Void = { _ in }
    ) {
        self.matches = matches
        self.nth = nth
        self.loss = loss
        self.aftermath = aftermath
        self.fired = fired
    }

    /// Bytes of a response that get through.
    var bytes: Int {
        if case .response(let afterBytes) = loss { afterBytes } else { 0 }
    }
}

/// A fault that waits for its turn.
struct ArmedInterception {
    let plan: ExchangeInterception
    var seen = 0
    var hasFired = false

    init(_ plan: ExchangeInterception) {
        self.plan = plan
    }
}
