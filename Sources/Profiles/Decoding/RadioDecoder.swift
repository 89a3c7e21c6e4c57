/// Reads a profile's `radio`: one name for both interfaces, or a name each.
struct RadioDecoder {
    let resolver: PresetResolver

    func decode(_ reader: ObjectReader) -> RadioConfiguration? {
        guard let value = reader.requiredValue("radio", example: "{ \"cellular\": \"lte\" }") else {
            return nil
        }
        guard value.members != nil else {
            guard let name = value.string else {
                reader.fail("radio", "\(value.kindText) is no radio", remedy: "write a name")
                return nil
            }
            return RadioConfiguration(cellular: name, wifi: name)
        }
        let nested = ObjectReader(value, as: "radio", diagnostics: resolver.diagnostics)
        let cellular = nested.requiredString("cellular", example: "lte-2012-aro")
        let wifi = nested.string("wifi") ?? "wifi-2012-aro"
        nested.finish()
        return cellular.map { RadioConfiguration(cellular: $0, wifi: wifi) }
    }
}
