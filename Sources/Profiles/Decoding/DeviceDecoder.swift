import PhoneModel
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
        let memory: ByteCount? = reader.requiredQuantity("memory", example: "6GiB")
        let cap: ByteCount? = reader.requiredQuantity("memory_cap", example: "256MiB")
        let thresholds = memoryThresholds(reader)
        let battery: BatteryCapacity? = reader.requiredQuantity("battery", example: "4500mAh")
        let processor = processorModel(reader)
        let screen: Power? = reader.requiredQuantity("screen_power", example: "330mW")
        let base: Power? = reader.requiredQuantity("base_power", example: "50mW")
        let refreshRate = reader.integer("refresh_hz", in: 1...1_000) ?? 60
        let system: OperatingSystemName? = reader.requiredChoice("os", example: "android-14")
        let disk = DiskDecoder(diagnostics: resolver.diagnostics).decode(reader)
        reader.finish()
        guard let memory, let cap, let thresholds, let battery, let processor, let screen,
            let base, let system, let disk
        else { return nil }
        guard cap > .zero, cap <= memory else {
            reader.fail(
                "memory_cap",
                "an app's cap of \(cap) does not fit into \(memory)",
                remedy: "write a size above zero, no more than \"memory\""
            )
            return nil
        }
        return DeviceConfiguration(
            model: DeviceModel(
                name: name,
                memory: memory,
                memoryCap: cap,
                memoryThresholds: thresholds,
                battery: battery,
                processor: processor,
                screenPower: screen,
                basePower: base,
                refreshRate: refreshRate
            ),
            operatingSystem: system.rawValue,
            disk: disk
        )
    }

    private func processorModel(_ reader: ObjectReader) -> ProcessorModel? {
        guard reader.requiredValue("processor", example: "{ \"active_power\": … }") != nil,
            let nested = reader.object("processor")
        else { return nil }
        let active: Power? = nested.requiredQuantity("active_power", example: "220mW")
        let decode: Duration? = nested.requiredQuantity("decode_per_megapixel", example: "23ms")
        let parse: Duration? = nested.requiredQuantity("parse_per_kibibyte", example: "20us")
        let launch: Duration? = nested.requiredQuantity("launch", example: "450ms")
        let coldStart: Duration = nested.quantity("cold_start") ?? .milliseconds(1_500)
        let warmStart: Duration = nested.quantity("warm_start") ?? .milliseconds(200)
        nested.finish()
        guard let active, let decode, let parse, let launch else { return nil }
        return ProcessorModel(
            activePower: active,
            decodePerMegapixel: decode,
            parsePerKibibyte: parse,
            launch: launch,
            coldStart: coldStart,
            warmStart: warmStart
        )
    }

    private func memoryThresholds(_ reader: ObjectReader) -> MemoryThresholds? {
        let standard = MemoryThresholds()
        guard let nested = reader.object("memory_pressure") else { return standard }
        let warning: Probability = nested.quantity("warning") ?? standard.warning
        let critical: Probability = nested.quantity("critical") ?? standard.critical
        nested.finish()
        guard warning < critical else {
            nested.fail(
                "warning",
                "an app is warned at \(warning), not before \(critical)",
                remedy: "write a share below that of \"critical\""
            )
            return nil
        }
        return MemoryThresholds(warning: warning, critical: critical)
    }
}

/// Operating systems by name; their policies are data of a later form (design 4).
enum OperatingSystemName: String, CaseIterable {
    case android14 = "android-14"
    case ios17 = "ios-17"
}
