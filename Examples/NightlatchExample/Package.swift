// swift-tools-version:6.2
import PackageDescription

// Builds the app's models, which need no framework of Apple's, on any machine. The app itself, with its screens, is the
// target of NightlatchExample.xcodeproj.
let subjects = ["App", "Registration", "Lock", "Secrets", "Payments", "Security", "Recovery"]
let package = Package(
    name: "NightlatchExample",
    platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [.package(name: "nightlatch", path: "../..")],
    targets: [
        .target(
            name: "NightlatchExample",
            dependencies: ["Nightlatch", "NightlatchUI", "NightlatchWire"].map {
                .product(name: $0, package: "nightlatch")
            },
            path: "NightlatchExample",
            exclude: ["Resources"] + subjects.map { "\($0)/Screens" },
            // As SWIFT_APPROACHABLE_CONCURRENCY sets them in Configuration/App.xcconfig.
            swiftSettings: [
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
