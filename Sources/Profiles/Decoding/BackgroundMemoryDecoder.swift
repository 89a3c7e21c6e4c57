import PhoneModel
import Quantities

/// Reads a profile's `in_memory`: who else is in the phone's memory.
struct BackgroundMemoryDecoder {
    let diagnostics: ProfileDiagnostics

    func decode(_ value: JSONCValue?) -> BackgroundMemory {
        var memory = BackgroundMemory()
        guard let value else { return memory }
        let reader = ObjectReader(value, as: "\"in_memory\"", diagnostics: diagnostics)
        memory.system = reader.quantity("system") ?? memory.system
        memory.footprint = reader.quantity("app_footprint") ?? memory.footprint
        var names: Set<String> = []
        memory.tenants = reader.objects("apps", as: "app in memory").compactMap { entry in
            let name = entry.requiredString("name", example: "maps")
            let size: ByteCount? = entry.requiredQuantity("size", example: "300MB")
            entry.finish()
            guard let name, let size else { return nil }
            guard names.insert(name).inserted else {
                entry.fail("name", "two apps are \"\(name)\"", remedy: "give each a name")
                return nil
            }
            return BackgroundMemory.Tenant(name: name, size: size)
        }
        reader.finish()
        return memory
    }
}
