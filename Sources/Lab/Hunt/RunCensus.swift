import Profiles
import Quantities
import SimulationKernel
import Trace

/// What happened in a run, counted: the places at which a hunt can put faults.
package struct RunCensus: Codable, Equatable, Sendable {
    /// An effect of the app on the phone or the network.
    package struct Operation: Codable, Equatable, Sendable {
        /// The launch, from one.
        package var launch: Int
        /// What was done, in the words of `EffectPlace.Verb`.
        package var verb: String
        /// A file's name without its folder, or a request line.
        package var subject: String
        /// The how-manieth of this verb and subject in the launch.
        package var nth: Int
        /// When.
        package var instant: SimulationInstant
        /// The database whose commit it is part of; empty if none.
        package var database: String
        /// The file of that database, below the app's folder; empty if none.
        package var databaseFile: String
        /// The how-manieth commit of the database.
        package var commit: Int
        /// The how-manieth write within the commit.
        package var write: Int
    }

    /// An effect at the server, by what identifies it.
    package struct Effect: Codable, Equatable, Hashable, Sendable {
        /// Route template, such as "POST /messages".
        package var route: String
        /// The identity, such as "m3".
        package var identity: String
    }

    /// Effects of the app, in order.
    package var operations: [Operation] = []
    /// Route templates of the requests that reached the server, in order.
    package var requests: [String] = []
    /// When they did.
    package var instants: [SimulationInstant] = []
    /// Effects at the server, each once.
    package var effects: [Effect] = []
    /// Uploads that were begun, each once, by identity.
    package var uploads: [String] = []
    /// Whether somebody was signed in.
    package var hasSession = false
    /// Whether a second process of the app is to be tried: see `WorldSetup.hasSecondProcess`.
    package var hasSecondProcess = false
    /// How often each anchor was passed, by name.
    package var anchors: [String: Int] = [:]

    /// Those that change what a later launch finds: where a death is tried.
    package var durableOperations: [Operation] {
        operations.filter { $0.verb != "send" && EffectPlace.Verb(rawValue: $0.verb) != nil }
    }
}

/// Takes the census while a run goes on.
final class CensusTaker: ObservationSink {
    /// A write within a commit, as the disk tells it ahead of the write.
    struct CommitPlace {
        let database: String
        let commit: Int
        let write: Int
    }

    private(set) var census = RunCensus()
    private var places: [Int: [Int: CommitPlace]] = [:]
    private var seen: Set<RunCensus.Effect> = []

    /// The next effect of the launch is a write of this commit.
    func writing(_ place: CommitPlace, launch: Int, effect: Int) {
        places[launch, default: [:]][effect] = place
    }

    /// Counts requests and effects.
    func observe(_ record: TraceRecord) {
        switch record.observation {
        case .serverRequest(let note):
            census.requests.append(note.route)
            census.instants.append(record.instant)
        case .serverEffect(let effect):
            let known = RunCensus.Effect(route: effect.route, identity: effect.identity)
            if seen.insert(known).inserted { census.effects.append(known) }
        case .actionStarted(let action)
        where action.size > .zero && !census.uploads.contains(action.identity):
            census.uploads.append(action.identity)
        default:
            break
        }
    }

    /// Nothing to do: the effects come from the launches.
    func finish(at end: SimulationInstant) {}

    /// The database's own file, from the path of it, its journal or its log.
    private static func databaseFile(of path: String) -> String {
        var file = path
        for ending in ["-wal", "-journal"] where file.hasSuffix(ending) {
            file.removeLast(ending.count)
        }
        let folder = "\(Phone.directory)/"
        return file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file
    }

    /// The census with the effects of every launch.
    func result(
        effects: [(launch: Int, record: EffectRecord)],
        anchors: [FaultAnchor: Int]
    ) -> RunCensus {
        var counts: [String: Int] = [:]
        census.operations = effects.map { launch, record in
            let verb = record.kind.description
            let subject =
                record.kind == .send
                ? record.label : record.label.split(separator: "/").last.map(String.init) ?? ""
            let key = "\(launch) \(verb) \(subject)"
            counts[key, default: 0] += 1
            let place = places[launch]?[record.number]
            return RunCensus.Operation(
                launch: launch,
                verb: verb,
                subject: subject,
                nth: counts[key, default: 0],
                instant: record.instant,
                database: place?.database ?? "",
                databaseFile: place == nil ? "" : Self.databaseFile(of: record.label),
                commit: place?.commit ?? 0,
                write: place?.write ?? 0
            )
        }
        for (anchor, count) in anchors { census.anchors[anchor.rawValue] = count }
        return census
    }
}
