import PhoneModel

/// Reads a profile's `radio`: one for both interfaces, or one each.
struct RadioDecoder {
    let resolver: PresetResolver

    func decode(_ reader: ObjectReader) -> RadioConfiguration? {
        guard let value = reader.requiredValue("radio", example: "{ \"cellular\": \"lte\" }") else {
            return nil
        }
        let isPair = value["cellular"] != nil || value["wifi"] != nil
        guard isPair else {
            let model = radio(value)
            return model.map { RadioConfiguration(cellular: $0, wifi: $0) }
        }
        let nested = ObjectReader(value, as: "radio", diagnostics: resolver.diagnostics)
        let cellular = nested.requiredValue("cellular", example: "\"lte\"").flatMap { radio($0) }
        let wifi = nested.requiredValue("wifi", example: "\"wifi\"").flatMap { radio($0) }
        nested.finish()
        guard let cellular, let wifi else { return nil }
        return RadioConfiguration(cellular: cellular, wifi: wifi)
    }

    private func radio(_ value: JSONCValue) -> RadioModel? {
        guard let (name, object) = resolver.resolve(value, kind: .radios, key: "model") else {
            return nil
        }
        return RadioFile.decode(object, name: name, diagnostics: resolver.diagnostics)
    }
}
