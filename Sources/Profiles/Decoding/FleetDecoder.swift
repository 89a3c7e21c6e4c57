import Quantities

/// Reads a profile's `fleet`.
struct FleetDecoder {
    let diagnostics: ProfileDiagnostics

    /// Keys of a crowd of callers, which a fleet of phones has no use for.
    private static let callerKeys = ["calls", "every", "attempt_timeout"]

    func decode(_ reader: ObjectReader) -> FleetConfiguration? {
        guard let fleet = reader.object("fleet") else { return nil }
        var made = FleetConfiguration(clients: 1, route: nil)
        made.starts = fleet.range("starts") ?? made.starts
        if fleet.has("call") {
            decodeCallers(fleet, into: &made)
            refuseWorkload(of: reader)
        } else {
            checkPhones(fleet, reader)
        }
        if fleet.requiredValue("clients", example: "10000") != nil {
            let most =
                made.isOfPhones
                ? FleetConfiguration.mostPhones : FleetConfiguration.mostClients
            made.clients = fleet.integer("clients", in: 1...most) ?? made.clients
        }
        fleet.finish()
        return made
    }

    private func decodeCallers(_ fleet: ObjectReader, into made: inout FleetConfiguration) {
        // What cannot be read is said; it is a crowd of callers all the same.
        let route = fleet.string("call") ?? "GET /feed"
        made.route = route
        if !Self.isRoute(route) {
            fleet.fail(
                "call",
                "\"\(route)\" is no method and path",
                remedy: "write \"GET /feed\""
            )
        }
        made.calls = fleet.integer("calls", in: 1...1_000_000) ?? made.calls
        made.interval = fleet.quantity("every") ?? made.interval
        made.attemptTimeout = fleet.quantity("attempt_timeout") ?? made.attemptTimeout
        if made.attemptTimeout == .zero {
            fleet.fail("attempt_timeout", "an attempt of no time", remedy: "write \"30s\"")
        }
    }

    private func refuseWorkload(of reader: ObjectReader) {
        guard reader.has("workload"), let workload = reader.value("workload") else { return }
        diagnostics.error(
            at: workload.location,
            "callers have no person with a workload",
            remedy: "drop \"call\" for a fleet of phones, or drop the workload"
        )
    }

    private func checkPhones(_ fleet: ObjectReader, _ reader: ObjectReader) {
        if !reader.has("workload") {
            diagnostics.error(
                at: fleet.location,
                "the fleet has nothing to do",
                remedy: "add \"call\": \"GET /feed\" for callers, or a \"workload\" for phones"
            )
        }
        for key in Self.callerKeys where fleet.has(key) {
            _ = fleet.value(key)
            fleet.fail(
                key,
                "\"\(key)\" belongs to \"call\", and phones have a workload",
                remedy: "say in the workload how often"
            )
        }
    }

    private static func isRoute(_ text: String) -> Bool {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
        return parts.count == 2 && methods.contains(String(parts[0])) && parts[1].hasPrefix("/")
    }
}
