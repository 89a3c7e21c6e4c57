import Foundation
import NetworkModel
import PhoneModel
import Profiles
import Quantities
import Testing

/// The presets that ship: each reads, names its source, and says what its tool says.
@Suite struct PresetTests {
    private let library = ProfileLibrary(
        folders: [ProfileLibrary.sourceTree + "/profiles"],
        workingDirectory: ProfileLibrary.sourceTree
    )

    @Test(arguments: [PresetKind.devices, .networks, .radios, .servers, .os])
    func `every shipped preset reads without a problem`(kind: PresetKind) throws {
        let names = library.presetNames(kind)
        #expect(!names.isEmpty)
        for name in names {
            let path = try #require(library.pathOfPreset(kind, named: name))
            let result = FileCheck.check(path, in: library)
            #expect(result.problems.isEmpty, "\(name): \(result.problems)")
        }
    }

    private func phase(_ preset: String) throws -> NetworkPhase {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro", "network": "\(preset)",
              \(ProfileFixture.workload) }
            """
        )
        let both = ProfileLibrary(
            folders: fixture.library.folders + library.folders,
            workingDirectory: fixture.folder
        )
        return try ScenarioReader.scenario("p", in: both).conditions.network.conditions.phases[0]
    }

    /// Figures as the tools have them, bits a second and round trips in ms (research/network.md, 2).
    @Test(arguments: [
        // Network Link Conditioner gives delays per direction: 400 + 440, 500 + 500, 100 + 100.
        ("nlc-edge", 240_000, 200_000, 840), ("nlc-very-bad", 1_000_000, 1_000_000, 1_000),
        ("nlc-3g", 780_000, 330_000, 200),
        // The emulator's struct is upload first, bits a second; 80 ms one way at least.
        ("android-edge", 236_800, 118_400, 80), ("android-hsdpa", 14_400_000, 348_000, 0),
        ("devtools-slow-4g", 1_600_000, 750_000, 150),
        // 1.6 x 1,024 kbps, where DevTools has 1.6 x 1,000.
        ("lighthouse-slow-4g", 1_638_400, 1_638_400, 150),
        // WebPageTest's latency is the round trip already.
        ("wpt-edge", 240_000, 200_000, 840), ("wpt-3g-slow", 780_000, 330_000, 200),
        ("wpt-2g", 35_000, 32_000, 1_300),
    ])
    func `a network preset has its tool's figures`(
        name: String,
        down: Int64,
        up: Int64,
        rtt: Int64
    ) throws {
        let phase = try phase(name)
        #expect(phase.down.rate == .constant(BitRate(bitsPerSecond: down)))
        #expect(phase.up.rate == .constant(BitRate(bitsPerSecond: up)))
        #expect(phase.rtt == .milliseconds(rtt))
    }

    @Test func `presets that nobody could verify say so`() throws {
        for name in ["nlc-lte", "nlc-wifi", "nlc-wifi-ac", "android-lte", "wpt-4g", "wpt-lte"] {
            let path = try #require(library.pathOfPreset(.networks, named: name))
            let document = try library.document(at: path)
            let unverified = document.root["unverified"]?.elements?.compactMap(\.string) ?? []
            #expect(unverified.contains("down"), "\(name)")
        }
    }

    @Test func `losses of presets are what the tools have`() throws {
        #expect(try phase("nlc-very-bad").down.loss == .bernoulli(.percent(10)))
        #expect(try phase("nlc-100-loss").up.loss == .bernoulli(.always))
        #expect(try phase("wpt-3g").up.loss == .none)
    }

    @Test(arguments: [DeviceModel.androidMid, .androidLow, .iphoneXR])
    func `a device file says what the built-in device is`(model: DeviceModel) throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "\(model.name)", "radio": "lte-2012-aro",
              "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" },
              \(ProfileFixture.workload) }
            """
        )
        let both = ProfileLibrary(
            folders: fixture.library.folders + library.folders,
            workingDirectory: fixture.folder
        )
        #expect(try ScenarioReader.scenario("p", in: both).conditions.device.model == model)
    }
}
