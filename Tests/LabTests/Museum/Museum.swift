/// Every exhibit, in the order of the catalogue.
enum Museum {
    static let exhibits = uploads + outboxes + retries + images + telemetry + storage

    /// Those that a hunt finds by itself.
    static var hunted: [Exhibit] {
        exhibits.filter { if case .hunt = $0.showing { true } else { false } }
    }

    /// Those that a profile shows.
    static var staged: [Exhibit] {
        exhibits.filter { if case .hunt = $0.showing { false } else { true } }
    }
}
