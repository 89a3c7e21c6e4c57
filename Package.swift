// swift-tools-version: 6.2
import PackageDescription

// The rooms of DESIGN section 2, lowest first. Imports point down; `Tests/TidyTests` checks it.
let package = Package(
    name: "onebar",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "onebar", targets: ["OnebarTool"]),
        .library(name: "Onebar", targets: ["Onebar"]),
        .library(
            name: "OnebarClientModules",
            targets: ["ClientModules", "LiveClient", "SQLiteStore", "Quantities"]
        ),
    ],
    targets: [
        // 0: vocabulary and C.
        .target(name: "Quantities"),
        .target(name: "HTTPVocabulary"),
        .target(name: "CVirtualTime"),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(
            name: "CPCap",
            pkgConfig: "libpcap",
            providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]
        ),

        // 1: engines and edges that know no phone.
        .target(name: "SimulationKernel", dependencies: ["CVirtualTime", "Quantities"]),
        .target(name: "Trace", dependencies: ["Quantities"]),
        .target(name: "SQLiteStore", dependencies: ["CSQLite"]),
        .target(name: "PacketCapture", dependencies: ["CPCap", "Quantities"]),

        // 2: the subject under test, and the models of its world.
        .target(
            name: "ClientModules",
            dependencies: ["Quantities", "SQLiteStore"],
            exclude: ["README.md"]
        ),
        .target(name: "PhoneModel", dependencies: ["Quantities", "SimulationKernel", "Trace"]),
        .target(
            name: "NetworkModel",
            dependencies: ["HTTPVocabulary", "Quantities", "SimulationKernel", "Trace"]
        ),
        .target(
            name: "ServerModel",
            dependencies: ["HTTPVocabulary", "Quantities", "SimulationKernel", "Trace"]
        ),

        // 3: folds, real adapters, captures.
        .target(name: "Measurements", dependencies: ["Quantities", "Trace"]),
        .target(
            name: "LiveClient",
            dependencies: ["ClientModules", "Quantities", "SQLiteStore"]
        ),
        .target(
            name: "CaptureAnalysis",
            dependencies: ["PacketCapture", "PhoneModel", "Quantities", "Trace"]
        ),

        // 4: judgement and memory.
        .target(name: "Budgets", dependencies: ["Measurements", "Quantities"]),
        .target(
            name: "History",
            dependencies: ["Budgets", "Measurements", "Quantities", "SQLiteStore"]
        ),

        // 5: files in, files out.
        .target(
            name: "Profiles",
            dependencies: [
                "Budgets", "HTTPVocabulary", "Measurements", "NetworkModel", "PhoneModel",
                "Quantities", "ServerModel", "Trace",
            ]
        ),
        .target(
            name: "Reporting",
            dependencies: ["Budgets", "Measurements", "Quantities", "Trace"]
        ),

        // 6: the only room that sees both world and client.
        .target(
            name: "Lab",
            dependencies: [
                "Budgets", "CaptureAnalysis", "ClientModules", "HTTPVocabulary", "Measurements",
                "NetworkModel", "PacketCapture", "PhoneModel", "Profiles", "Quantities",
                "SQLiteStore", "ServerModel", "SimulationKernel", "Trace",
            ]
        ),

        // 7 and 8: front doors.
        .target(
            name: "Onebar",
            dependencies: [
                "Budgets", "ClientModules", "Lab", "Measurements", "Profiles", "Quantities",
                "SQLiteStore", "ServerModel", "SimulationKernel",
            ]
        ),
        .target(
            name: "OnebarCommands",
            dependencies: [
                "Budgets", "CaptureAnalysis", "History", "Lab", "Measurements", "NetworkModel",
                "PacketCapture", "PhoneModel", "Profiles", "Quantities", "Reporting", "SQLiteStore",
                "SimulationKernel", "Trace",
            ]
        ),
        .executableTarget(
            name: "OnebarTool",
            dependencies: ["OnebarCommands", "SimulationKernel"]
        ),
        .executableTarget(
            name: "LiveCheck",
            dependencies: ["ClientModules", "LiveClient", "Quantities"]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "NetworkModel", "Quantities", "SimulationKernel", "Trace",
            ]
        ),

        // Tests: one target a room.
        .testTarget(name: "QuantitiesTests", dependencies: ["Quantities"]),
        .testTarget(
            name: "SimulationKernelTests",
            dependencies: ["Quantities", "SimulationKernel"]
        ),
        .testTarget(name: "SQLiteStoreTests", dependencies: ["CSQLite", "SQLiteStore"]),
        .testTarget(name: "PacketCaptureTests", dependencies: ["PacketCapture", "Quantities"]),
        .testTarget(
            name: "ClientModulesTests",
            dependencies: ["ClientModules", "LiveClient", "Quantities", "SQLiteStore"]
        ),
        .testTarget(
            name: "PhoneModelTests",
            dependencies: ["PhoneModel", "Quantities", "SimulationKernel", "Trace"]
        ),
        .testTarget(
            name: "NetworkModelTests",
            dependencies: [
                "HTTPVocabulary", "NetworkModel", "Quantities", "SimulationKernel", "Trace",
            ],
            exclude: ["Reference"]
        ),
        .testTarget(
            name: "ServerModelTests",
            dependencies: [
                "HTTPVocabulary", "Quantities", "ServerModel", "SimulationKernel", "Trace",
            ]
        ),
        .testTarget(
            name: "MeasurementsTests",
            dependencies: ["Budgets", "Measurements", "Quantities", "Trace"]
        ),
        .testTarget(
            name: "CaptureAnalysisTests",
            dependencies: [
                "CaptureAnalysis", "PacketCapture", "PhoneModel", "Profiles", "Quantities",
                "SimulationKernel", "Trace",
            ],
            exclude: ["Resources"]
        ),
        .testTarget(
            name: "ProfilesTests",
            dependencies: [
                "Budgets", "NetworkModel", "PhoneModel", "Profiles", "Quantities", "ServerModel",
                "Trace",
            ]
        ),
        .testTarget(
            name: "ReportingTests",
            dependencies: ["Budgets", "Measurements", "Quantities", "Reporting", "Trace"]
        ),
        .testTarget(
            name: "LabTests",
            dependencies: [
                "Budgets", "CaptureAnalysis", "ClientModules", "HTTPVocabulary", "Lab",
                "Measurements", "NetworkModel", "Onebar", "PacketCapture", "PhoneModel", "Profiles",
                "Quantities", "Reporting", "SQLiteStore",
                "ServerModel", "SimulationKernel", "Trace",
            ],
            exclude: ["Museum/README.md", "Museum/Plans", "Profiles"]
        ),
        .testTarget(
            name: "OnebarCommandsTests",
            dependencies: [
                "CaptureAnalysis", "Lab", "NetworkModel", "OnebarCommands", "Profiles",
                "Quantities",
                "Trace",
            ]
        ),
        .testTarget(
            name: "HistoryTests",
            dependencies: [
                "Budgets", "History", "LiveClient", "Measurements", "Quantities", "SQLiteStore",
            ]
        ),
        .testTarget(name: "OnebarTests", dependencies: ["Onebar", "SQLiteStore"]),
        .testTarget(name: "TidyTests"),
    ]
)

for target in package.targets where target.type != .system {
    guard target.name != "CVirtualTime" else { continue }
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
