import ClientModules
import Foundation
import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Trace

/// The person: does what was planned, remembers what they were promised.
///
/// An action that returned is promised, one that threw was refused, one cut by a kill is neither.
/// While the app is not there, the person waits and does it when it is.
final class WorkloadDriver: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private unowned let world: World
    private unowned let phone: Phone
    private var plan: [PlannedAction]
    private var waiting: [PlannedAction] = []
    /// The actions that the next end of an identity is about: several where it was asked for again.
    private var actions: [String: [Int64]] = [:]
    /// Identities that have come to an end since they were last asked for, and to which.
    private var ended: [String: ActionOutcome] = [:]
    /// Digests of what has taken the place of files since they were chosen.
    private var changed: [String: UInt64] = [:]
    /// Identities that the person has asked for.
    private var begun: Set<String> = []
    /// Uploads that the person is taking back, until the app says that they are gone.
    private var takingBack: [String: PlannedAction] = [:]
    /// When the app said so.
    private var takenBack: [String: SimulationInstant] = [:]
    private var promised: [Int64: SimulationInstant] = [:]
    /// Actions that the app has neither promised nor refused yet.
    private var undecided: Set<Int64> = []
    /// What the person was told of what was given up.
    private var givenUp: [String: ActionOutcome] = [:]
    /// Whether the phone was made of a backup.
    private var isRestored = false

    init(world: World, phone: Phone, plan: [PlannedAction]) {
        self.world = world
        self.phone = phone
        self.plan = plan
        for planned in plan where actions[planned.action.identity] == nil {
            actions[planned.action.identity] = [planned.action.action]
        }
    }

    /// Schedules everything; the events are the world's own, no kill takes them away.
    func begin() {
        for planned in plan {
            world.schedule(at: planned.due) { [self] in perform(planned) }
        }
    }

    /// The app is there: what waited for it is done now.
    func appIsReady() {
        let backlog = waiting
        waiting = []
        undecided = []
        for planned in backlog { perform(planned) }
        // A kill cut it before the app had said that it is gone: the person sees it, and asks again.
        let cut = takingBack.sorted { $0.key < $1.key }.map(\.value)
        takingBack = [:]
        for planned in cut { perform(planned) }
    }

    /// The world is over: what a launch still says of an action is nobody's.
    func discard() {
        plan = []
        waiting = []
        actions = [:]
        takingBack = [:]
        promised = [:]
    }

    // MARK: What the app says

    func heard(_ event: OutboxEvent, from launch: LaunchSeams) {
        switch event {
        case .acknowledged(let identity, _):
            settle(identity, .acknowledged, launch)
            launch.atLocalTime { [self] in phone.faults.anchor(.outboxAcknowledged) }
        case .superseded(let identity, _):
            settle(identity, .superseded, launch)
        case .deadLettered(let identity, _, let mayHaveTakenEffect):
            // A phone that came from a backup cannot know what its queue did after it was made.
            let isUnknown = mayHaveTakenEffect || isRestored
            let outcome = isUnknown ? ActionOutcome.unknown : .deadLettered
            // Shown again at each start; the person was told once.
            guard givenUp[identity] != outcome else { break }
            settle(identity, outcome, launch)
            launch.atLocalTime { [self] in givenUp[identity] = outcome }
        case .enqueued:
            launch.atLocalTime { [self] in phone.faults.anchor(.outboxEnqueued) }
        case .sending, .willRetry, .waiting, .storageFailed:
            break
        }
    }

    func heard(_ event: UploadEvent, from launch: LaunchSeams) {
        switch event {
        case .progress(let identity, let committed, _):
            guard let action = actions[identity]?.last else { return }
            launch.report(.uploadProgress(action: action, shown: ByteCount(committed)))
        case .finished(let identity):
            settle(identity, .acknowledged, launch)
        case .failed(let identity, let failure):
            // As above: what the phone did before its backup was put back, it cannot know.
            settle(identity, isRestored ? .unknown : failure.outcome, launch)
        case .created, .restarted, .willRetry, .waitingForPath, .storageFailed:
            break
        }
    }

    /// After a relaunch the person sees this as said: a promise, whether or not the call returned.
    func isShown(_ identity: String, by launch: LaunchSeams) {
        guard let action = actions[identity]?.last, promised[action] == nil else { return }
        promise(action, of: identity, launch)
    }

    private func promise(_ action: Int64, of identity: String, _ launch: LaunchSeams) {
        launch.atLocalTime { [self] in
            guard promised[action] == nil else { return }
            promised[action] = world.simulation.instant
            undecided.remove(action)
            world.report(.actionPromised(action: action), device: phone.device)
            staysOpen(action, of: identity)
        }
    }

    /// A promise that comes after a failure was told: that was of what had been asked for before, and this goes on, with
    /// all that the app has not decided yet.
    private func staysOpen(_ action: Int64, of identity: String) {
        guard let outcome = ended[identity], outcome != .acknowledged,
            let open = actions[identity], open.count > 1, open.contains(action)
        else { return }
        ended[identity] = nil
        actions[identity] = open.filter { $0 == action || undecided.contains($0) }
    }

    /// A phone that was restored from a backup does not know what was promised after it was made.
    func forgetPromises(after backup: SimulationInstant) {
        isRestored = true
        for (action, instant) in promised.sorted(by: { $0.key < $1.key }) where instant > backup {
            world.report(
                .actionRefused(action: action, reason: "it is not in the backup"),
                device: phone.device
            )
        }
        // Nor what was taken back: the person of this phone sees it again, and either is right.
        for (identity, instant) in takenBack.sorted(by: { $0.key < $1.key }) where instant > backup
        {
            for action in actions[identity] ?? [] {
                world.report(.actionSettled(action: action, .unknown), device: phone.device)
            }
        }
    }

    private func settle(_ identity: String, _ outcome: ActionOutcome, _ launch: LaunchSeams) {
        guard let open = actions[identity] else { return }
        launch.atLocalTime { [self] in
            // What is there is there for those too who asked once more in the meantime.
            let told = outcome == .acknowledged ? actions[identity] ?? open : open
            for action in told {
                world.report(.actionSettled(action: action, outcome), device: phone.device)
            }
            ended[identity] = outcome
        }
    }

    /// An action begins: the next end of its identity is about it, and about what is open beside it.
    private func begins(_ action: UserAction) {
        if ended.removeValue(forKey: action.identity) != nil {
            // What was told was not of what the app has not decided yet.
            actions[action.identity]?.removeAll { !undecided.contains($0) }
        }
        takenBack[action.identity] = nil
        begun.insert(action.identity)
        guard !(actions[action.identity] ?? []).contains(action.action) else { return }
        actions[action.identity, default: []].append(action.action)
    }

    // MARK: What the person does

    private func perform(_ planned: PlannedAction) {
        if case .radio(let lasts, let cause, let owner) = planned.request {
            if let cause { phone.sleep.wake(cause, for: lasts) }
            phone.declareRadioActivity(owner: owner, lasts: lasts)
            return
        }
        if performsByItself(planned) { return }
        guard !phone.isAway, let launch = phone.launch, let app = launch.app else {
            waiting.append(planned)
            return
        }
        let request: AppAction
        var known = planned.action
        switch planned.request {
        case .perform(.upload(let source)):
            // Asked for once more: where the person sees that it is there, or that it is going, they do not.
            guard ended[known.identity] != .acknowledged, takingBack[known.identity] == nil else {
                return
            }
            known.digest = changed[known.identity] ?? known.digest
            request = .upload(source)
        case .perform(let action):
            request = action
        case .upload(let path, let content):
            phone.storeMedia(content, at: path)
            request = .upload(UploadSource(file: path, identity: planned.action.identity))
        case .radio, .use, .push, .carry, .charge:
            return
        case .scroll(let action, let list):
            return phone.screen.fling(action, index: list)
        case .blockMain(let span):
            return phone.screen.blockMain(for: span)
        case .leave(let action):
            return phone.leave(action)
        }
        if request.isPromise {
            begins(known)
            world.report(.actionStarted(known), device: phone.device)
        }
        if case .cancelUpload(let identity) = request {
            return takeBack(identity, planned, app, launch)
        }
        let saysUndone = planned.isUndoneIfThrown || request.isUndoneIfThrown
        start(known, request, saysUndone: saysUndone, app, launch)
    }

    /// The person takes an upload back that no plan foresaw; returns why they cannot, or nil.
    func cancelUpload(_ name: String) -> String? {
        let identity = phone.identity.prefix + name
        guard actions[identity]?.contains(where: { promised[$0] != nil }) ?? false else {
            return "'\(name)' had not been promised"
        }
        if let outcome = ended[identity] { return "'\(name)' had ended: \(outcome.rawValue)" }
        // One thing after another: whoever does both at once has said nothing that could be judged.
        if takingBack[identity] != nil { return "'\(name)' was being taken back" }
        if actions[identity]?.contains(where: undecided.contains) ?? false {
            return "'\(name)' was being asked for"
        }
        let number = world.takeActionNumber()
        let action = UserAction(
            action: number,
            kind: "upload.cancel",
            identity: "upload.cancel-\(number)"
        )
        perform(unforeseen(action, .cancelUpload(identity)))
        return nil
    }

    /// The person asks once more for an upload; returns why they do not, or nil.
    func retryUpload(_ name: String) -> String? {
        let identity = phone.identity.prefix + name
        guard begun.contains(identity),
            var action = plan.first(where: { $0.action.identity == identity })?.action
        else { return "'\(name)' had not been begun" }
        guard ended[identity] != .acknowledged else { return "'\(name)' was there" }
        if takingBack[identity] != nil { return "'\(name)' was being taken back" }
        action.action = world.takeActionNumber()
        let file = WorkloadPlanner.mediaPath(identity)
        perform(unforeseen(action, .upload(UploadSource(file: file, identity: identity))))
        return nil
    }

    /// Why no client could tell another file from the one that was chosen; nil if it can.
    ///
    /// Until the app has promised an upload, nobody knows whether it has looked at the file yet.
    func isUnseen(_ name: String) -> String? {
        let open = actions[phone.identity.prefix + name] ?? []
        guard open.contains(where: { promised[$0] != nil }) else {
            return "'\(name)' had not been promised"
        }
        return open.contains(where: undecided.contains) ? "'\(name)' was being chosen" : nil
    }

    /// Another file stands from now on in the place of the one that was chosen.
    func sourceChanged(_ name: String, to content: SyntheticContent) {
        changed[phone.identity.prefix + name] = content.digest
    }

    private func unforeseen(_ action: UserAction, _ request: AppAction) -> PlannedAction {
        PlannedAction(due: world.simulation.instant, action: action, request: .perform(request))
    }

    /// What happens to the phone needs no app to be there.
    private func performsByItself(_ planned: PlannedAction) -> Bool {
        guard let system = phone.system else { return false }
        switch planned.request {
        case .use(let lasts): system.use(for: lasts)
        case .push(let push): system.pushArrived(push)
        case .carry(let lasts): system.carry(for: lasts)
        case .charge(let lasts): system.charge(for: lasts)
        default: return false
        }
        return true
    }

    /// Takes an upload back; one that the app had ended by then stays as it was told.
    private func takeBack(
        _ identity: String,
        _ planned: PlannedAction,
        _ app: any LabApp,
        _ launch: LaunchSeams
    ) {
        takingBack[identity] = planned
        launch.incarnation.start { [self] in
            do {
                try await app.perform(.cancelUpload(identity))
                launch.atLocalTime { [self] in
                    takingBack[identity] = nil
                    guard ended[identity] == nil else { return }
                    takenBack[identity] = world.simulation.instant
                    settle(identity, .cancelled, launch)
                }
            } catch {
                launch.atLocalTime { [self] in takingBack[identity] = nil }
                launch.log("upload.cancel of \(identity) failed: \(RefusalReason.text(of: error))")
            }
        }
    }

    private func start(
        _ action: UserAction,
        _ request: AppAction,
        saysUndone: Bool,
        _ app: any LabApp,
        _ launch: LaunchSeams
    ) {
        if request.isPromise { undecided.insert(action.action) }
        launch.incarnation.start { [self] in
            do {
                try await app.perform(request)
                if request.isPromise { promise(action.action, of: action.identity, launch) }
            } catch {
                let reason = RefusalReason.text(of: error)
                if request.isPromise {
                    launch.report(
                        .actionRefused(
                            action: action.action,
                            reason: reason,
                            saysUndone: saysUndone && ThrownClaim.isMade(by: error)
                        )
                    )
                    launch.atLocalTime { [self] in undecided.remove(action.action) }
                } else {
                    launch.log("\(action.kind) failed: \(reason)")
                }
            }
        }
    }
}

extension AppAction {
    /// Whether returning from it promises that the server will have it.
    fileprivate var isPromise: Bool {
        switch self {
        case .enqueue, .upload, .tap: true
        case .call, .insert, .cancelUpload: false
        }
    }

    /// Whether nothing was done when it throws, by the contract of the module that it is for.
    fileprivate var isUndoneIfThrown: Bool {
        switch self {
        case .enqueue, .upload: true
        case .tap, .call, .insert, .cancelUpload: false
        }
    }
}

extension UploadFailure {
    fileprivate var outcome: ActionOutcome {
        switch self {
        case .rejected, .serverViolatesProtocol: .rejected
        case .tooOld: .deadLettered
        case .expired: .expired
        case .sourceUnavailable, .sourceChanged: .sourceUnavailable
        }
    }
}
