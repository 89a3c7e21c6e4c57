// swift-tools-version: 6.2
import PackageDescription

// An app's own package: its module, and its tests on Onebar's phone. Only the path of the dependency is special.
let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "onebar", path: "../..")],
    targets: [
        .systemLibrary(
            name: "AppSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .target(name: "Chat", dependencies: ["AppSQLite"]),
        .testTarget(
            name: "ChatTests",
            dependencies: ["Chat", .product(name: "Onebar", package: "onebar")]
        ),
    ]
)
