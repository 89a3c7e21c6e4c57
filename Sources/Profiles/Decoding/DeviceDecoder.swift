import Quantities

/// Reads a profile's `device`: a preset's name, or an object with overrides.
struct DeviceDecoder {
    let resolver: PresetResolver

    func decode(_ value: JSONCValue) -> DeviceConfiguration? {
        guard let (name, object) = resolver.resolve(value, kind: .devices, key: "model") else {
            return nil
        }
        let reader = ObjectReader(object, as: "device", diagnostics: resolver.diagnostics)
        _ = PresetHeader(reader)
        let battery: BatteryCapacity? = reader.requiredQuantity("battery", example: "4500mAh")
        let memory: ByteCount? = reader.requiredQuantity("memory_limit", example: "256MiB")
        let device = DeviceConfiguration(
            name: name,
            operatingSystem: reader.requiredString("os", example: "android-14") ?? "",
            battery: battery ?? BatteryCapacity(milliampereHours: 1),
            memoryLimit: memory ?? .mebibytes(256),
            disk: reader.requiredString("disk", example: "f2fs-ufs") ?? "",
            refreshRate: reader.integer("refresh_hz", in: 1...1_000) ?? 60
        )
        reader.finish()
        return battery == nil || memory == nil ? nil : device
    }
}
