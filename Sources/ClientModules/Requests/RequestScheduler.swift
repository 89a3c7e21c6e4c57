import Foundation
import Synchronization

/// Sends requests in the order of who is waiting for them, each only once.
///
/// ```swift
/// let scheduler = RequestScheduler(environment: environment)
/// Task { await scheduler.run() }                       // once a launch; cancel to stop
/// let page = try await scheduler.send(request, tier: .interactive)
/// ```
///
/// **Tiers.** A request waits for a slot of its own tier alone, so what is prefetched never stands
/// before a tap: `RequestSlots` says how many of a tier may be in flight. Within a tier the first
/// asked is the first sent.
///
/// **Once.** What is in the queue or in flight is not sent again: a GET or HEAD with the same
/// `RequestSignature` joins it and gets the same response. Its tier is that of the most urgent who
/// waits, so a prefetch that somebody comes to look at moves up, in the queue and in flight.
///
/// **Cancellation reaches the line.** Cancelling the task that waits takes it out at once
/// (`URLError.cancelled`). When the last one who waits has left, a queued request is never sent and
/// a transfer in flight is ended at the transport. Others who wait for the same notice nothing.
///
/// What it does not do: try again. Put a `Retrier` around `send`, so that waits hold no slot.
public final class RequestScheduler: Sendable {
    private struct Ask: Sendable {
        var request: HTTPRequest
        var body: HTTPRequestBody
        var asked: Duration
    }

    /// What keeps requests apart: a signature, or a number where none may be shared.
    private enum Identity: Hashable, Sendable {
        case shared(RequestSignature)
        case unique(Int)
    }

    private let environment: ClientEnvironment
    private let responseLimit: Int
    private let work: SharedWork<Identity, Ask, ScheduledResponse>
    private let unique = Mutex(0)

    /// Makes a scheduler; sends nothing until `run()`.
    ///
    /// A response of more than `responseLimit` bytes ends in `URLError.dataLengthExceedsMaximum`;
    /// 32 MiB is a choice. The observer is called where things happen, so it must not block.
    public init(
        environment: ClientEnvironment,
        slots: RequestSlots = RequestSlots(),
        responseLimit: Int = 32 << 20,
        observer: (@Sendable (RequestEvent) -> Void)? = nil
    ) {
        self.environment = environment
        self.responseLimit = responseLimit
        let clock = environment.clock
        work = SharedWork(slots: slots) { event in
            switch event {
            case .started(let ask, let tier):
                observer?(.started(ask.request, tier, waited: clock.now - ask.asked))
            case .joined(let ask, let tier): observer?(.joined(ask.request, tier))
            case .cancelled(let ask, let wasRunning):
                observer?(.cancelled(ask.request, wasInFlight: wasRunning))
            }
        }
    }

    /// Sends `request` when its tier has a slot, or joins the same that is under way.
    ///
    /// Returns the whole response; a status is never an error. Throws the transport's `URLError`.
    public func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody = .none,
        tier: RequestTier
    ) async throws -> ScheduledResponse {
        let identity: Identity
        if let signature = RequestSignature(request, body: body) {
            identity = .shared(signature)
        } else {
            identity = .unique(
                unique.withLock { number in
                    number += 1
                    return number
                }
            )
        }
        let ask = Ask(request: request, body: body, asked: environment.clock.now)
        return try await work.value(of: identity, input: ask, tier: tier).value
    }

    /// Makes what is queued or in flight like `request` at least this urgent.
    ///
    /// False when there is nothing like it. For a list that scrolls: what was asked for as a prefetch
    /// is now on the screen, and nobody asks again.
    @discardableResult
    public func promote(_ request: HTTPRequest, to tier: RequestTier) -> Bool {
        guard let signature = RequestSignature(request) else { return false }
        return work.promote(.shared(signature), to: tier)
    }

    /// Sends until the task is cancelled; call it once a launch, in a task of its own.
    ///
    /// All requests are child tasks of that task. A second call while one runs returns at once.
    /// What is asked for before it runs waits; what is left when it ends throws `URLError.cancelled`.
    public func run() async {
        let transport = environment.transport
        let limit = responseLimit
        await work.run { _, ask in
            let response = try await transport.send(ask.request, body: ask.body, progress: nil)
            return ScheduledResponse(
                status: response.status,
                headers: response.headers,
                body: try await response.body(upTo: limit)
            )
        }
    }
}
