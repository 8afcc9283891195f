// swift-tools-version:6.2
import PackageDescription

// For reading and type-checking. An app needs an Xcode target: see README.md.
let modules = ["Nightlatch", "NightlatchPlatform", "NightlatchUI", "NightlatchWire"].map {
    Target.Dependency.product(name: $0, package: "nightlatch")
}
let package = Package(
    name: "NightlatchExample",
    platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [.package(name: "nightlatch", path: "../..")],
    targets: [.executableTarget(name: "NightlatchExample", dependencies: modules, path: "NightlatchExample", exclude: ["Resources"])]
)
