import HTTPVocabulary

/// A fault in the middle of one exchange: its request or its response is lost.
package struct ExchangeInterception {
    /// What is lost.
    package enum Loss: Equatable, Sendable {
        /// The server never sees the request.
        case request
        /// The server works on the request; of its answer, only so many bytes get through.
        case response(afterBytes: Int)
    }

    /// How the connection then looks to the phone.
    package enum Aftermath: String, Sendable, CaseIterable {
        /// A reset arrives: the client is told `networkConnectionLost`.
        case reset
        /// Packets vanish both ways: the client waits for its idle time.
        case blackhole
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
