import PhoneModel
import Quantities

/// Reads a device's `disk`: the name of a disk, or an object with overrides.
struct DiskDecoder {
    let diagnostics: ProfileDiagnostics

    func decode(_ reader: ObjectReader) -> DiskProfile? {
        guard let value = reader.requiredValue("disk", example: "\"f2fs-ufs\"") else { return nil }
        guard value.members != nil else { return named(value) }
        let nested = ObjectReader(value, as: "\"disk\"", diagnostics: diagnostics)
        let model = nested.requiredValue("model", example: "\"f2fs-ufs\"").flatMap { named($0) }
        let sync = latency(nested, "sync")
        let fullSync = latency(nested, "full_sync")
        let write: Duration? = nested.quantity("write")
        let name: Duration? = nested.quantity("name")
        nested.finish()
        guard var disk = model else { return nil }
        if let sync {
            disk.syncLatency = sync
            disk.fullSyncLatency = sync
        }
        disk.fullSyncLatency = fullSync ?? disk.fullSyncLatency
        disk.writeLatency = write ?? disk.writeLatency
        disk.nameLatency = name ?? disk.nameLatency
        return disk
    }

    private func latency(_ reader: ObjectReader, _ key: String) -> DiskProfile.Latency? {
        let range: QuantityRange<Duration>? = reader.range(key)
        return range.map { DiskProfile.Latency(usual: $0) }
    }

    private func named(_ value: JSONCValue) -> DiskProfile? {
        guard let name = value.string else {
            diagnostics.error(
                at: value.location,
                "\(value.kindText) stands where a disk belongs",
                remedy: "write a name"
            )
            return nil
        }
        if let disk = DiskProfile.named(name) { return disk }
        diagnostics.error(
            at: value.location,
            "there is no disk \"\(name)\"",
            remedy: NearestName.remedy(for: name, among: DiskProfile.all.map(\.name))
        )
        return nil
    }
}
