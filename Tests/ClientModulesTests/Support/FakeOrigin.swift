import ClientModules
import Foundation
import Synchronization

/// A server that honours `Idempotency-Key` and remembers what took effect.
///
/// What the script says happens to the answer, not to the effect: a lost response is an effect that
/// nobody heard of.
final class FakeOrigin: Sendable {
    /// What happens to the exchange with this number, counted from one.
    enum Fate: Sendable {
        case normal
        /// The effect happens, the answer does not arrive.
        case responseLost
        /// Nothing arrives.
        case requestLost
        /// Refused with this status and no effect.
        case refused(Int, [HTTPHeader] = [])
    }

    private struct State {
        var effects: [String] = []
        var keys: Set<String> = []
        var fates: [Int: Fate] = [:]
        var fallback: Fate = .normal
        var latency: Duration = .milliseconds(100)
    }

    private let state = Mutex(State())

    /// Bodies in the order in which they took effect.
    var effects: [String] { state.withLock { $0.effects } }

    init(_ fates: [Int: Fate] = [:]) {
        state.withLock { $0.fates = fates }
    }

    func setFallback(_ fate: Fate) {
        state.withLock { $0.fallback = fate }
    }

    func setLatency(_ span: Duration) {
        state.withLock { $0.latency = span }
    }

    func forgetKeys() {
        state.withLock { $0.keys = [] }
    }

    func serve(_ seen: SeenRequest, _ number: Int) -> Reply {
        state.withLock { state in
            let fate = state.fates[number] ?? state.fallback
            switch fate {
            case .requestLost:
                return .fails(.networkConnectionLost, after: state.latency)
            case .refused(let status, let headers):
                return .answer(status, headers, after: state.latency)
            case .normal, .responseLost:
                let key = seen["Idempotency-Key"] ?? ""
                if state.keys.insert(key).inserted {
                    state.effects.append(String(decoding: seen.body, as: UTF8.self))
                }
                if case .responseLost = fate {
                    return .fails(.networkConnectionLost, after: state.latency)
                }
                return .answer(201, body: "{}", after: state.latency)
            }
        }
    }
}
