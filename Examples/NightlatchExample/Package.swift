// swift-tools-version:6.2
import PackageDescription

// To look at and to type-check. An app is a target of Xcode's: see README.md.
let package = Package(
    name: "NightlatchExample",
    platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [.package(name: "nightlatch", path: "../..")],
    targets: [
        .executableTarget(
            name: "NightlatchExample",
            dependencies: ["Nightlatch", "NightlatchPlatform", "NightlatchUI", "NightlatchWire"].map {
                .product(name: $0, package: "nightlatch")
            },
            path: ".", exclude: ["README.md"])
    ]
)
