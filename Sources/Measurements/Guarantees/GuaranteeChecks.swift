import Quantities
import Trace

/// Judges one seed's observations by the guarantees that always hold.
///
/// A fold over the stream: it keeps one entry an action, one an upload, and a bounded history for
/// stories. What an action promised follows from the driver: returned is promised, thrown is told,
/// cut by a kill is unknown, and then zero or one effect are both right.
package final class GuaranteeChecks: ObservationSink {
    let scope: GuaranteeScope
    var ledger = ActionLedger()
    var story: StoryKeeper
    private(set) var answers = DeedAnswers()
    let effects = EffectGuarantee()
    let uploads = UploadGuarantee()
    private var log = BreachLog()
    /// What the launch that lives at the end waits for, by device.
    private(set) var waits: [Int: [String]] = [:]
    /// What was lost, doubled, reordered and corrupted.
    package internal(set) var counts = GuaranteeCounts()

    /// Makes the checks of one seed.
    package init(scope: GuaranteeScope) {
        self.scope = scope
        self.story = StoryKeeper(faultNames: scope.faultNames)
    }

    /// Broken guarantees, in order of time; those that only the end shows come last.
    package var breaches: [GuaranteeBreach] { log.breaches }

    /// Takes in one record; packets, energy and memory pass by.
    package func observe(_ record: TraceRecord) {
        switch record.observation {
        case .packet, .packetLost, .radioInterval, .energyDrawn, .memoryChanged, .diskWritten,
            .diskSynced, .diskUsed:
            return
        case .actionStarted, .actionPromised, .actionRefused, .actionSettled:
            ledger.observe(record)
            noteAction(record)
            if case .actionSettled(let action, .cancelled) = record.observation {
                uploads.takenBack(action)
            }
        case .serverEffect(let effect):
            effects.observe(effect, record: record, in: self)
        case .serverUpload(let event):
            uploads.observe(event, record: record, in: self)
        case .uploadProgress(let action, let shown):
            uploads.progress(of: action, shown: shown, record: record, in: self)
        case .protocolViolation(let violation):
            report(
                .clientProtocol,
                violation.rule,
                Self.action(violation.route),
                at: record.instant,
                device: record.device,
                message: "\(violation.route): \(violation.rule)"
            )
        case .stillWaiting(_, let what):
            waits[record.device, default: []].append(what)
        case .guaranteeBroken(let name, let message, let subject):
            report(
                GuaranteeName(name),
                message,
                UserAction(action: 0, kind: "test", identity: subject),
                at: record.instant,
                device: record.device,
                message: message
            )
        case .requestStarted(let start):
            uploads.sent(start.request)
            if scope.tracksRequests { story.observe(record) }
        case .responseDiscarded:
            if scope.tracksRequests { story.observe(record) }
        case .requestEnded(let end):
            guard scope.tracksRequests else { return }
            story.observe(record)
            answers.observe(end, at: record.instant)
        case .processEnded(let label, let cause):
            story.observe(record)
            if cause != .runEnded { ledger.cut(device: record.device) }
            guard cause == .crash else { return }
            report(
                .noCrash,
                "crash",
                Self.action("app"),
                at: record.instant,
                device: record.device,
                message: "the app crashed at \(record.instant), in launch \(label.launch)"
            )
        default:
            story.observe(record)
        }
    }

    /// A request did something at the server: how it ends is kept.
    func followAnswer(to request: Int64) {
        if scope.tracksRequests { answers.follow(request, story.memory(of: request)) }
    }

    /// Judges what only the end shows: what is lost, incomplete or stuck.
    package func finish(at end: SimulationInstant) {
        counts.take(ledger.all)
        effects.finish(at: end, in: self)
        uploads.finish(at: end, in: self)
        SettleGuarantee.finish(at: end, in: self)
    }

    /// Keeps a breach with the story of its subject.
    func report(
        _ guarantee: GuaranteeName,
        _ kind: String,
        _ action: UserAction,
        at instant: SimulationInstant,
        device: Int,
        message: String
    ) {
        log.add(
            GuaranteeBreach(
                guarantee: guarantee,
                seed: scope.seed,
                instant: instant,
                device: device,
                subject: action.identity,
                entity: action.entity,
                owner: action.kind,
                message: message,
                story: story.story(of: action.identity, on: device)
            ),
            kind: kind
        )
    }

    private static func action(_ owner: String) -> UserAction {
        UserAction(action: 0, kind: owner, identity: "")
    }

    private func noteAction(_ record: TraceRecord) {
        switch record.observation {
        case .actionStarted(let action):
            story.note("\(action.kind) began", of: action.identity, at: record.instant)
        case .actionPromised(let number):
            note("promised to the person", number, record)
        case .actionRefused(let number, let reason, _):
            note("refused: \(reason)", number, record)
        case .actionSettled(let number, let outcome):
            note("the app told the person: \(outcome.rawValue)", number, record)
        default:
            break
        }
    }

    private func note(_ text: String, _ number: Int64, _ record: TraceRecord) {
        guard let entry = ledger[number] else { return }
        story.note(text, of: entry.action.identity, at: record.instant)
    }
}
