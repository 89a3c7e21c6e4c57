import Quantities

/// Reads a profile's `fleet`.
struct FleetDecoder {
    let diagnostics: ProfileDiagnostics

    func decode(_ reader: ObjectReader) -> FleetConfiguration? {
        guard let fleet = reader.object("fleet") else { return nil }
        var made = FleetConfiguration(clients: 1, route: "GET /feed")
        if fleet.requiredValue("clients", example: "10000") != nil {
            made.clients =
                fleet.integer("clients", in: 1...FleetConfiguration.mostClients) ?? made.clients
        }
        if let route = fleet.requiredString("call", example: "GET /feed") {
            made.route = route
            if !Self.isRoute(route) {
                fleet.fail(
                    "call",
                    "\"\(route)\" is no method and path",
                    remedy: "write \"GET /feed\""
                )
            }
        }
        made.starts = fleet.range("starts") ?? made.starts
        made.calls = fleet.integer("calls", in: 1...1_000_000) ?? made.calls
        made.interval = fleet.quantity("every") ?? made.interval
        made.attemptTimeout = fleet.quantity("attempt_timeout") ?? made.attemptTimeout
        if made.attemptTimeout == .zero {
            fleet.fail("attempt_timeout", "an attempt of no time", remedy: "write \"30s\"")
        }
        fleet.finish()
        if reader.has("workload"), let workload = reader.value("workload") {
            diagnostics.error(
                at: workload.location,
                "a fleet has no person with a workload",
                remedy: "say what each client calls: \"fleet\": { \"call\": \"GET /feed\", … }"
            )
        }
        return made
    }

    private static func isRoute(_ text: String) -> Bool {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
        return parts.count == 2 && methods.contains(String(parts[0])) && parts[1].hasPrefix("/")
    }
}
