// swift-tools-version:6.2
import PackageDescription

// The checks without the app, for building them on any system. The app is in DeviceChecks.xcodeproj.
let package = Package(
    name: "DeviceChecks",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [.library(name: "DeviceChecks", targets: ["DeviceChecks"])],
    dependencies: [
        .package(name: "nightlatch", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
    ],
    targets: [
        .target(
            name: "DeviceChecks",
            dependencies: [
                .product(name: "Nightlatch", package: "nightlatch"),
                .product(name: "NightlatchPlatform", package: "nightlatch"),
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
            ],
            path: "Checks")
    ]
)
