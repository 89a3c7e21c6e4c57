import Quantities
import Trace

/// How requests that did something at the server were answered, where that was not well.
///
/// A request is followed from its deed to its end; one that is answered well is forgotten then. So
/// memory follows what is open and what went wrong, and no judgement hangs on how long the run is.
struct DeedAnswers {
    /// An end that says something else than the deed.
    struct Answer {
        let instant: SimulationInstant
        let result: RequestEnd.Result
    }

    private var open: Set<Int64> = []
    private var answers: [Int64: Answer] = [:]

    /// How many requests are followed now.
    var openCount: Int { open.count }

    /// Follows a request that did something now; `memory` is what is known of it by then.
    mutating func follow(_ request: Int64, _ memory: StoryKeeper.RequestMemory?) {
        guard request != 0 else { return }
        guard let memory, let ended = memory.ended else {
            open.insert(request)
            return
        }
        // Whoever asked had given up before; a status by then was no answer to the deed.
        if let failure = memory.failure {
            answers[request] = Answer(instant: ended, result: .failure(failure))
        }
    }

    /// Takes in the end of a request.
    mutating func observe(_ end: RequestEnd, at instant: SimulationInstant) {
        guard open.remove(end.request) != nil else { return }
        if case .status(let status) = end.result, (200..<400).contains(status) { return }
        answers[end.request] = Answer(instant: instant, result: end.result)
    }

    /// Whether the server did it and answered that it did not: whoever asked believes that.
    func isDenied(_ request: Int64) -> Bool {
        guard case .status(let status) = answers[request]?.result else { return false }
        return (400..<500).contains(status)
    }

    /// "the answer never arrived: request 7 failed: timedOut at 3 s"; nil if it did.
    func loss(of request: Int64) -> String? {
        guard let answer = answers[request], case .failure(let name) = answer.result else {
            return nil
        }
        return "the answer never arrived: request \(request) failed: \(name) at \(answer.instant)"
    }
}
