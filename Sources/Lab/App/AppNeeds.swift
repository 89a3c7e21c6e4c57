import Profiles
import SQLiteStore

/// What a workload asks of an app: an app that does none of it has no module for it.
package struct AppNeeds: Sendable {
    /// Whether messages are sent, or anything else that has to arrive.
    package var sendsMessages: Bool
    /// Whether the person looks at pictures.
    package var showsPictures: Bool
    /// Whether files are sent.
    package var sendsFiles: Bool
    /// Whether the server is asked without an outbox.
    package var makesCalls: Bool
    /// How the app's own database is opened first; nil where it has no rows to keep.
    package var rows: SQLiteConfiguration?

    /// Reads what `scenario` has its people do.
    init(of scenario: Scenario) {
        let actions = scenario.scenario.workload.map(\.action)
        sendsMessages = actions.contains { action in
            switch action {
            case .sendMessage, .toggleLike: true
            default: false
            }
        }
        showsPictures = actions.contains { action in
            if case .scrollList(let list) = action { list.picture != nil } else { false }
        }
        sendsFiles = actions.contains { action in
            if case .upload = action { true } else { false }
        }
        makesCalls = actions.contains { action in
            switch action {
            case .request, .receivePush: true
            default: false
            }
        }
        rows =
            actions.lazy.compactMap { action in
                if case .insertRows(let rows) = action {
                    RowInsertion(rows).configuration
                } else {
                    nil
                }
            }.first
    }

    /// What a second process needs, which plays a part of the app: nobody looks at it.
    var ofSecondProcess: AppNeeds {
        var needs = self
        needs.showsPictures = false
        needs.makesCalls = false
        needs.rows = nil
        return needs
    }
}
