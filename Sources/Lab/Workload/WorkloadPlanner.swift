import ClientModules
import Foundation
import Profiles
import Quantities
import SQLiteStore
import SimulationKernel
import Trace

/// Turns a profile's workload into actions, drawn from streams that nothing else draws from.
///
/// A seed taps alike on every branch that is compared: the plan is made before the run.
struct WorkloadPlanner {
    private let simulation: Simulation
    private let server: ServerAddress
    private let others: [OtherActivity]
    private let phone: PhoneIdentity
    private let start: SimulationInstant
    /// The number of the next action: a run counts those of all phones together.
    private(set) var nextAction: Int64
    private var messages = 0
    private var likes = 0
    private var uploads: [UploadKind: Int] = [:]
    /// Uploads by identity: what is asked for once more is the same file.
    private var uploadActions: [String: UserAction] = [:]

    /// Makes a planner; `others` are the uses of the radio that actions may ride on.
    init(
        simulation: Simulation,
        server: ServerAddress,
        others: [OtherActivity] = [],
        phone: PhoneIdentity = .only,
        start: SimulationInstant = .zero,
        firstAction: Int64 = 1
    ) {
        self.others = others
        self.phone = phone
        self.start = start
        nextAction = firstAction
        self.simulation = simulation
        self.server = server
    }

    /// All actions in order of time; those at one instant in the order of the profile.
    mutating func plan(_ entries: [WorkloadEntry], taps: [TapPlan]) -> [PlannedAction] {
        var actions = taps.flatMap { plan($0) }
        for entry in entries {
            var draws = simulation.stream(
                "workload",
                entity: "\(phone.prefix)\(entry.index)",
                purpose: entry.action.verb.rawValue
            )
            for due in instants(of: entry.schedule, draws: &draws) {
                actions += plan(
                    entry.action,
                    index: entry.index,
                    due: due,
                    rides: entry.rides,
                    draws: &draws
                )
            }
        }
        return actions.enumerated()
            .sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }
            .map(\.element)
    }

    private mutating func plan(_ tap: TapPlan) -> [PlannedAction] {
        (1...max(1, tap.count)).map { number in
            let action = tap.action
            let effect = tap.effect?(number)
            var known = self.number(
                effect == nil ? TapPlan.kind : TapPlan.namedKind,
                identity: effect?.identity ?? ""
            )
            known.entity = effect?.entity ?? ""
            return PlannedAction(
                due: start + tap.start + tap.interval * (number - 1),
                action: known,
                request: .perform(.tap({ app in try await action(app, number) })),
                isUndoneIfThrown: effect?.isUndoneIfThrown ?? false
            )
        }
    }

    private func instants(
        of schedule: WorkloadSchedule,
        draws: inout RandomStream
    ) -> [SimulationInstant] {
        switch schedule {
        case .at(let instants):
            return instants.map { start + $0 }
        case .every(let interval, let from, let count):
            var due = start + from
            return (0..<count).map { index in
                if index > 0 { due += draws.duration(in: interval) }
                return due
            }
        case .drawn(let interval, let from, let counts):
            var due = start + draws.duration(in: from)
            let spread = UInt64(counts.upperBound - counts.lowerBound + 1)
            return (0..<counts.lowerBound + Int(draws.below(spread))).map { index in
                if index > 0 { due += draws.duration(in: interval) }
                return due
            }
        case .with(let owner):
            return others.filter { $0.owner == owner && $0.start >= start }.map(\.end)
        }
    }

    private mutating func plan(
        _ action: WorkloadAction,
        index: Int,
        due: SimulationInstant,
        rides: Bool,
        draws: inout RandomStream
    ) -> [PlannedAction] {
        switch action {
        case .sendMessage(let size, let conversations):
            return [message(due, size: draws.size(in: size), conversations, &draws)]
        case .toggleLike(let taps, let within):
            return likeTaps(due, taps: taps, within: within, &draws)
        case .upload(let kind, let size):
            return [upload(due, kind: kind, size: draws.size(in: size))]
        case .cancelUpload(let name):
            let identity = phone.prefix + name
            return [plain(due, "upload.cancel", .perform(.cancelUpload(identity)))]
        case .retryUpload(let name):
            return [retry(due, of: phone.prefix + name)].compactMap(\.self)
        case .request(let request):
            return [call(due, request, &draws)]
        case .receivePush(let push):
            return [self.push(due, push, &draws)]
        case .useApp(let lasts):
            return [plain(due, "app.use", .use(lasts))]
        case .carry(let lasts):
            return [plain(due, "phone.carry", .carry(lasts))]
        case .charge(let lasts):
            return [plain(due, "phone.charge", .charge(lasts))]
        case .radioActivity(let activity):
            let known = number("radio.activity", identity: "radio-\(nextAction)")
            return [
                PlannedAction(
                    due: due,
                    action: known,
                    request: .radio(
                        lasts: activity.lasts,
                        cause: rides ? nil : activity.cause,
                        owner: activity.owner
                    )
                )
            ]
        case .insertRows(let insertion):
            return [insert(due, insertion)]
        case .scrollList(let scroll):
            return [
                PlannedAction(
                    due: due,
                    action: number("list.scroll", identity: "scroll-\(nextAction)"),
                    request: .scroll(scroll, list: index)
                )
            ]
        case .leaveApp(let action):
            return [
                PlannedAction(
                    due: due,
                    action: number("app.leave", identity: "leave-\(nextAction)"),
                    request: .leave(action)
                )
            ]
        case .blockMain(let lasts):
            return [
                PlannedAction(
                    due: due,
                    action: number("main.block", identity: "block-\(nextAction)"),
                    request: .blockMain(lasts)
                )
            ]
        }
    }

    private mutating func plain(
        _ due: SimulationInstant,
        _ kind: String,
        _ request: PlannedAction.Request
    ) -> PlannedAction {
        PlannedAction(
            due: due,
            action: number(kind, identity: "\(kind)-\(nextAction)"),
            request: request
        )
    }

    private mutating func push(
        _ due: SimulationInstant,
        _ action: PushAction,
        _ draws: inout RandomStream
    ) -> PlannedAction {
        var call = plainCall(action.fetch, &draws)
        call.isAwaited = false
        let push = PushArrival(isHigh: action.isHigh, fetch: .call(call))
        return plain(due, "push.receive", .push(push))
    }

    private mutating func number(
        _ kind: String,
        identity: String,
        entity: String = "",
        supersession: String = "",
        size: ByteCount = .zero,
        digest: UInt64 = 0
    ) -> UserAction {
        defer { nextAction += 1 }
        return UserAction(
            action: nextAction,
            kind: kind,
            identity: identity,
            entity: entity,
            supersession: supersession,
            size: size,
            digest: digest
        )
    }

    private mutating func message(
        _ due: SimulationInstant,
        size: ByteCount,
        _ conversations: Int,
        _ draws: inout RandomStream
    ) -> PlannedAction {
        messages += 1
        let identity = "\(phone.prefix)m\(messages)"
        let conversation = "\(phone.prefix)c\(draws.below(UInt64(max(1, conversations))) + 1)"
        var body = Data(#"{"id":"\#(identity)","conversation":"\#(conversation)","text":""#.utf8)
        let end = Data(#""}"#.utf8)
        let text = max(0, Int(size.bytes) - body.count - end.count)
        body.append(contentsOf: repeatElement(UInt8(ascii: "a"), count: text))
        body.append(end)
        return PlannedAction(
            due: due,
            action: number("message.send", identity: identity, entity: conversation),
            request: .perform(
                .enqueue(
                    OutboxIntent(
                        identity: identity,
                        entity: conversation,
                        path: "/messages",
                        body: body
                    )
                )
            )
        )
    }

    private mutating func likeTaps(
        _ due: SimulationInstant,
        taps: Int,
        within: Duration,
        _ draws: inout RandomStream
    ) -> [PlannedAction] {
        likes += 1
        let post = "\(phone.prefix)p\(likes)"
        var instants = (0..<taps).map { _ in draws.duration(in: QuantityRange(.zero, within)) }
        instants.sort()
        return instants.enumerated().map { index, offset in
            let identity = "\(post)-t\(index + 1)"
            let body = #"{"id":"\#(identity)","liked":\#(index % 2 == 0)}"#
            return PlannedAction(
                due: due + offset,
                action: number(
                    "like.toggle",
                    identity: identity,
                    entity: post,
                    supersession: post
                ),
                request: .perform(
                    .enqueue(
                        OutboxIntent(
                            identity: identity,
                            entity: post,
                            collapseKey: "like/\(post)",
                            method: "PUT",
                            path: "/likes/\(post)",
                            body: Data(body.utf8)
                        )
                    )
                )
            )
        }
    }

    private mutating func upload(
        _ due: SimulationInstant,
        kind: UploadKind,
        size: ByteCount
    ) -> PlannedAction {
        uploads[kind, default: 0] += 1
        let identity = "\(phone.prefix)\(kind.rawValue)-\(uploads[kind, default: 0])"
        var keys = simulation.stream("content", entity: identity)
        let content = SyntheticContent(seed: keys.next(), length: size)
        let action = number(
            "\(kind.rawValue).upload",
            identity: identity,
            size: size,
            digest: content.digest
        )
        uploadActions[identity] = action
        return PlannedAction(
            due: due,
            action: action,
            request: .upload(path: Self.mediaPath(identity), content: content)
        )
    }

    /// Where the file of an upload lies.
    static func mediaPath(_ identity: String) -> String { "/media/\(identity)" }

    /// The same file under the same name; nil where the seed drew fewer uploads than the profile allows.
    private mutating func retry(_ due: SimulationInstant, of identity: String) -> PlannedAction? {
        guard let first = uploadActions[identity] else { return nil }
        return PlannedAction(
            due: due,
            action: number(
                first.kind,
                identity: identity,
                size: first.size,
                digest: first.digest
            ),
            request: .perform(
                .upload(UploadSource(file: Self.mediaPath(identity), identity: identity))
            )
        )
    }

    private mutating func call(
        _ due: SimulationInstant,
        _ action: RequestAction,
        _ draws: inout RandomStream
    ) -> PlannedAction {
        PlannedAction(
            due: due,
            action: number("request.send", identity: "call-\(nextAction)"),
            request: .perform(.call(plainCall(action, &draws)))
        )
    }

    private func plainCall(_ action: RequestAction, _ draws: inout RandomStream) -> PlainCall {
        let parts = action.route.split(separator: " ", maxSplits: 1)
        let method = parts.first.map(String.init) ?? "GET"
        let path = parts.count > 1 ? String(parts[1]) : "/"
        let requests: [(HTTPRequest, HTTPRequestBody)] = (0..<action.calls).map { _ in
            let size = Int(draws.size(in: action.bodySize).bytes)
            var request = HTTPRequest(method: method, url: server.url(path), purpose: "app")
            if action.connection == .fresh {
                request.headers.append(HTTPHeader("Connection", "close"))
            }
            return (request, size > 0 ? .data(Data(repeating: 0x61, count: size)) : .none)
        }
        return PlainCall(requests: requests)
    }

    private mutating func insert(
        _ due: SimulationInstant,
        _ action: InsertAction
    ) -> PlannedAction {
        PlannedAction(
            due: due,
            action: number("sqlite.insert", identity: "rows-\(nextAction)"),
            request: .perform(.insert(RowInsertion(action)))
        )
    }
}
