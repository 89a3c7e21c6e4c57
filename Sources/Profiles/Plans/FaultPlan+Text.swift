import Measurements
import NetworkModel
import Quantities
import ServerModel
import Trace

/// One member of a JSON object, written.
private typealias Member = (key: String, value: String)

extension FaultPlan {
    /// The file: one fault a line, in the words of profiles.
    package var text: String {
        var lines = ["{"]
        lines.append("  \"format\": \(JSONText.quoted(Self.format)),")
        lines.append("  \"profile\": \(JSONText.quoted(profile)),")
        if let test { lines.append("  \"test\": \(JSONText.quoted(test)),") }
        lines.append("  \"seed\": \(seed),")
        let end = failure == nil ? "" : ","
        if faults.isEmpty {
            lines.append("  \"faults\": []\(end)")
        } else {
            lines.append("  \"faults\": [")
            for entry in faults {
                let comma = entry.index == faults.count - 1 ? "" : ","
                lines.append("    \(entry.planText)\(comma)")
            }
            lines.append("  ]\(end)")
        }
        if let failure {
            lines.append("  \"failure\": {")
            lines.append("    \"guarantee\": \(JSONText.quoted(failure.identity.guarantee.text)),")
            lines.append("    \"entity\": \(JSONText.quoted(failure.identity.entity)),")
            lines.append("    \"owner\": \(JSONText.quoted(failure.identity.owner)),")
            lines.append("    \"message\": \(JSONText.quoted(failure.message))")
            lines.append("  }")
        }
        lines.append("}")
        return lines.joined(separator: "\n") + "\n"
    }
}

extension FaultEntry {
    /// The entry as a profile would say it.
    package var planText: String {
        let members =
            [("fault", JSONText.quoted(kind.rawValue))] + placement.members
            + effect.members
        return "{ " + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + " }"
    }
}

extension FaultPlacement {
    fileprivate var members: [Member] {
        switch self {
        case .at(let instant):
            return [("at", PlanText.span(instant))]
        case .after(let anchor, let nth):
            return [("after", JSONText.quoted(anchor.rawValue)), ("nth", "\(nth)")]
        case .during(let anchor, let nth, let effect):
            return [
                ("during", JSONText.quoted(anchor.rawValue)), ("nth", "\(nth)"),
                ("effect", "\(effect)"),
            ]
        case .request(let route, let nth):
            let to: [Member] = route.map { [("to", JSONText.quoted($0))] } ?? []
            return to + [("nth", "\(nth)")]
        case .poisson(let mean):
            return [("randomly_every", PlanText.span(mean))]
        case .inside(let place):
            let of: [Member] = place.subject.map { [("of", JSONText.quoted($0))] } ?? []
            return [("in", JSONText.quoted(place.verb.rawValue))] + of + [
                ("nth", "\(place.nth)"), ("launch", "\(place.launch)"),
                ("side", JSONText.quoted(place.side.rawValue)),
            ]
        }
    }
}

extension FaultEffect {
    fileprivate var members: [Member] {
        switch self {
        case .killProcess(let relaunch), .forceQuit(let relaunch), .losePower(let relaunch),
            .suspendLockHolder(let relaunch):
            return PlanText.optional("relaunch", relaunch)
        case .loseResponse(let bytes, let aftermath):
            return [
                ("after_bytes", "\(bytes)"), ("then", JSONText.quoted(aftermath.rawValue)),
            ]
        case .loseRequest(let bytes, let aftermath):
            let after: [Member] = bytes > 0 ? [("after_bytes", "\(bytes)")] : []
            return after + [("then", JSONText.quoted(aftermath.rawValue))]
        case .interruptNetwork(_, let span), .secondProcess(let span):
            return [("for", PlanText.span(span))]
        case .resetConnections, .expireToken, .revokeSession:
            return []
        case .refuse(let status, let retryAfter, let route, let span):
            let to: [Member] = route.map { [("to", JSONText.quoted($0))] } ?? []
            return [("status", "\(status)")] + PlanText.optional("retry_after", retryAfter)
                + to + [("for", PlanText.span(span))]
        case .answerError(let script):
            let identity: [Member] =
                script.identity.map { [("identity", JSONText.quoted($0))] } ?? []
            return [("status", "\(script.status)")] + identity
                + PlanText.optional("retry_after", script.retryAfter) + [
                    ("times", script.times.map { "\($0)" } ?? "\"all\""),
                    ("stage", JSONText.quoted(ScriptStage(script.stage).rawValue)),
                ]
        case .fillDisk(let free, let span):
            return [("free", "\"\(free.bytes)B\""), ("for", PlanText.span(span))]
        case .jumpClock(let span):
            return span < .zero
                ? [("back", PlanText.span(.zero - span))] : [("forward", PlanText.span(span))]
        case .pressMemory(let level, let span):
            return [("level", JSONText.quoted(level.rawValue)), ("for", PlanText.span(span))]
        case .lockFiles(let files, let span):
            let place: [Member] =
                switch files {
                case .all: []
                case .folder(let folder): [("folder", JSONText.quoted(folder))]
                case .file(let file): [("file", JSONText.quoted(file))]
                }
            return place + [("for", PlanText.span(span))]
        case .purgeCache(let folder):
            return [("folder", JSONText.quoted(folder))]
        case .restoreBackup(let taken, let relaunch):
            return [("taken", PlanText.span(taken))] + PlanText.optional("relaunch", relaunch)
        case .holdDatabase(let name, let span):
            return [("database", JSONText.quoted(name)), ("for", PlanText.span(span))]
        case .removeSource(let name), .changeSource(let name), .cancelUpload(let name),
            .retryUpload(let name):
            return [("of", JSONText.quoted(name))]
        }
    }
}

/// Values as JSON writes them.
private enum PlanText {
    static func optional(_ key: String, _ span: Duration?) -> [Member] {
        span.map { [(key, Self.span($0))] } ?? []
    }

    /// The span in the largest unit that says it without a fraction.
    static func span(_ span: Duration) -> String {
        let total = span.wholeNanoseconds
        let units: [(Int64, String)] = [
            (60_000_000_000, "min"), (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"),
        ]
        for (size, unit) in units where total % size == 0 { return "\"\(total / size)\(unit)\"" }
        return "\"\(total)ns\""
    }
}
