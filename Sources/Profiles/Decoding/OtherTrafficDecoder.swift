import Quantities

/// Reads a profile's `other_apps`.
struct OtherTrafficDecoder {
    let diagnostics: ProfileDiagnostics

    func decode(_ reader: ObjectReader) -> [OtherTraffic] {
        var owners: Set<String> = []
        return reader.objects("other_apps", as: "other app").compactMap { entry in
            let owner = entry.requiredString("owner", example: "mail")
            let schedule = WorkloadDecoder(diagnostics: diagnostics)
                .decodeSchedule(entry, isEndless: true)
            let lasts: QuantityRange<Duration>? =
                entry.requiredValue("lasts", example: "\"800ms\"") == nil
                ? nil : entry.range("lasts")
            entry.finish()
            guard let owner, let schedule, let lasts else { return nil }
            guard !OtherTraffic.reservedOwners.contains(owner) else {
                entry.fail("owner", "\"\(owner)\" is the phone itself", remedy: "name an app")
                return nil
            }
            guard owners.insert(owner).inserted else {
                entry.fail("owner", "two apps are \"\(owner)\"", remedy: "give each a name")
                return nil
            }
            return OtherTraffic(
                owner: owner,
                schedule: schedule,
                lasts: lasts,
                location: entry.location
            )
        }
    }
}
