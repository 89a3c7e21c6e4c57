import NetworkModel
import Quantities

/// Reads a profile's `network`: a preset's name, one phase in place, or phases.
struct NetworkDecoder {
    let resolver: PresetResolver

    private var diagnostics: ProfileDiagnostics { resolver.diagnostics }

    func decode(_ value: JSONCValue) -> NetworkConfiguration? {
        guard let (name, object) = resolver.resolve(value, kind: .networks, key: "preset") else {
            return nil
        }
        let reader = ObjectReader(object, as: "network", diagnostics: diagnostics)
        let transport = decodeTransport(reader)
        var phases: [NetworkPhase] = []
        if reader.has("phases") {
            _ = PresetHeader(reader)
            phases = decodePhases(reader)
            reader.finish()
        } else if let phase = PhaseDecoder(resolver: resolver).decode(reader, index: 0) {
            phases = [phase]
        }
        guard !phases.isEmpty else { return nil }
        return NetworkConfiguration(
            name: name,
            conditions: NetworkConditions(phases: phases),
            transport: transport
        )
    }

    private func decodePhases(_ reader: ObjectReader) -> [NetworkPhase] {
        guard let elements = reader.value("phases")?.elements else {
            reader.fail("phases", "\"phases\" is not an array", remedy: "write [ { … }, { … } ]")
            return []
        }
        if elements.isEmpty {
            reader.fail("phases", "the network has no phase", remedy: "add one: { \"down\": … }")
        }
        var phases: [NetworkPhase] = []
        for (index, element) in elements.enumerated() {
            guard let (_, object) = resolver.resolve(element, kind: .networks, key: "preset") else {
                continue
            }
            let phase = ObjectReader(object, as: "phase", diagnostics: diagnostics)
            if index < elements.count - 1, !phase.has("for") {
                diagnostics.error(
                    at: element.location,
                    "a phase that is not the last has no \"for\"",
                    remedy: "say how long it lasts: \"for\": \"5min\""
                )
            }
            if let decoded = PhaseDecoder(resolver: resolver).decode(phase, index: index) {
                phases.append(decoded)
            }
        }
        return phases
    }

    /// Refuses what no client speaks, and what has no effect.
    private func check(_ transport: TransportConfiguration, _ reader: ObjectReader) {
        if transport.http == .http3, transport.security != .tls13 {
            reader.fail(
                reader.has("security") ? "security" : "http",
                "HTTP/3 is always encrypted by TLS 1.3 (RFC 9001)",
                remedy: "write \"security\": \"tls1.3\" or leave it out"
            )
        }
        if transport.sendsEarlyData, !transport.resumesSessions {
            reader.fail(
                "early_data",
                "early data needs a session to resume",
                remedy: "add \"resumption\": true"
            )
        }
        if transport.sendsEarlyData, transport.security != .tls13 {
            reader.fail(
                "early_data",
                "only TLS 1.3 has early data (RFC 8446, 2.3)",
                remedy: "write \"security\": \"tls1.3\" or leave \"early_data\" out"
            )
        }
        if reader.has("migration"), transport.http != .http3 {
            reader.fail(
                "migration",
                "only QUIC takes a connection along to another address",
                remedy: "write \"http\": \"h3\" or leave \"migration\" out"
            )
        }
    }

    private func decodeTransport(_ reader: ObjectReader) -> TransportConfiguration {
        var transport = TransportConfiguration()
        guard let value = reader.value("transport") else { return transport }
        if value.string != nil {
            transport.kind = reader.choice(from: value, key: "transport") ?? transport.kind
            return transport
        }
        let nested = ObjectReader(value, as: "transport", diagnostics: diagnostics)
        transport.kind = nested.choice("kind") ?? transport.kind
        transport.security = nested.choice("security") ?? transport.security
        transport.http = nested.choice("http") ?? transport.http
        transport.resumesSessions = nested.bool("resumption") ?? transport.resumesSessions
        transport.sendsEarlyData = nested.bool("early_data") ?? transport.sendsEarlyData
        transport.migrates = nested.bool("migration") ?? transport.migrates
        check(transport, nested)
        nested.finish()
        return transport
    }
}
