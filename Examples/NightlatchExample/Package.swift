// swift-tools-version:6.2
import PackageDescription

// `swift run` on a Mac; in an Xcode project of an iOS app, add its files and the same four products.
let package = Package(
    name: "NightlatchExample",
    platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [.package(name: "nightlatch", path: "../..")],
    targets: [
        .executableTarget(
            name: "NightlatchExample",
            dependencies: [
                .product(name: "Nightlatch", package: "nightlatch"),
                .product(name: "NightlatchPlatform", package: "nightlatch"),
                .product(name: "NightlatchUI", package: "nightlatch"),
                .product(name: "NightlatchWire", package: "nightlatch"),
            ],
            path: ".")
    ],
    swiftLanguageModes: [.v6]
)
