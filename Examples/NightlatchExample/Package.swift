// swift-tools-version:6.2
import PackageDescription

// To look at and to type-check. An app is a target of Xcode's: see README.md.
let modules = ["Nightlatch", "NightlatchPlatform", "NightlatchUI", "NightlatchWire"].map {
    Target.Dependency.product(name: $0, package: "nightlatch")
}
let package = Package(
    name: "NightlatchExample",
    platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [.package(name: "nightlatch", path: "../..")],
    targets: [.executableTarget(name: "NightlatchExample", dependencies: modules, path: ".", exclude: ["README.md"])]
)
