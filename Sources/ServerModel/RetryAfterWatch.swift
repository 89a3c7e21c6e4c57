import HTTPVocabulary
import Quantities

/// Remembers who was asked to wait, and notices who does not (RFC 9110, 10.2.3).
///
/// A request is the same again when device, method, path and key (or payload) are. Who was never
/// reached by the answer cannot know of it and is not blamed; nor is a request that was under way before the client's
/// code had the answer.
struct RetryAfterWatch {
    /// What makes two requests the same.
    struct Operation: Hashable {
        var device: Int
        var method: String
        var target: String
        var key: String
    }

    private struct Request {
        var end: SimulationInstant
        var exchange: any HTTPExchange
        /// Whether the answer has come to a process whose code has not seen it.
        var isUnseen = false
        /// From when on the code knows it, in nanoseconds; the arrival of the answer counts where nobody says.
        var knownFrom = Int64.min
    }

    private var asked: [Operation: Request] = [:]
    private var operations: [ObjectIdentifier: Operation] = [:]

    /// `exchange` was answered that `operation` should wait until `end`.
    mutating func ask(
        _ operation: Operation,
        toWaitUntil end: SimulationInstant,
        exchange: any HTTPExchange
    ) {
        if let old = asked[operation] { operations[ObjectIdentifier(old.exchange)] = nil }
        asked[operation] = Request(end: end, exchange: exchange)
        operations[ObjectIdentifier(exchange)] = operation
    }

    /// The answer of `exchange` did not arrive: nobody was asked.
    mutating func forget(_ exchange: any HTTPExchange) {
        guard let operation = operations.removeValue(forKey: ObjectIdentifier(exchange)) else {
            return
        }
        asked[operation] = nil
    }

    /// Who got the answer to request `number` died before it could write it down: nobody was asked.
    mutating func forget(number: Int64) {
        guard let (operation, request) = asked.first(where: { $0.value.exchange.number == number })
        else { return }
        operations[ObjectIdentifier(request.exchange)] = nil
        asked[operation] = nil
    }

    /// The answer to request `number` is in the process, and its code has not seen it: its threads are busy.
    mutating func wait(for number: Int64) {
        change(number) { $0.isUnseen = true }
    }

    /// The process's code knows the answer to request `number` from `instant` on, by its own time.
    mutating func know(_ number: Int64, from instant: SimulationInstant) {
        change(number) { request in
            request.isUnseen = false
            request.knownFrom = instant.nanoseconds
        }
    }

    private mutating func change(_ number: Int64, _ change: (inout Request) -> Void) {
        guard let operation = asked.first(where: { $0.value.exchange.number == number })?.key,
            var request = asked[operation]
        else { return }
        change(&request)
        asked[operation] = request
    }

    /// How much too early an operation comes again; nil if it does not.
    ///
    /// Ends the watch on it, unless `exchange` was under way before the client knew.
    mutating func earliness(
        of operation: Operation,
        by exchange: any HTTPExchange,
        at arrival: SimulationInstant
    ) -> Duration? {
        guard let request = asked[operation] else { return nil }
        if request.isUnseen { return nil }
        if let began = exchange.clientBegan, let knew = request.exchange.clientAnswered,
            began < max(knew, request.knownFrom)
        {
            return nil
        }
        asked[operation] = nil
        operations[ObjectIdentifier(request.exchange)] = nil
        guard arrival < request.end else { return nil }
        let state = request.exchange.clientState
        guard state == nil || state == .answered else { return nil }
        return request.end - arrival
    }
}
