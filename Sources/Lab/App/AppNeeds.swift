import Profiles

/// What a workload asks of an app, beyond saying things: an app that does none of it has no module for it.
package struct AppNeeds: Sendable {
    /// Whether the person looks at pictures.
    package let showsPictures: Bool
    /// Whether files are sent.
    package let sendsFiles: Bool
    /// Whether the server is asked without an outbox.
    package let makesCalls: Bool

    /// Makes what a process needs that plays a part of it.
    init(showsPictures: Bool, sendsFiles: Bool, makesCalls: Bool) {
        self.showsPictures = showsPictures
        self.sendsFiles = sendsFiles
        self.makesCalls = makesCalls
    }

    /// Reads what `scenario` has its people do.
    init(of scenario: Scenario) {
        let actions = scenario.scenario.workload.map(\.action)
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
    }
}
