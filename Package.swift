// swift-tools-version:6.2

// The package that an app depends on. It depends on swift-crypto alone, because the package manager makes an app
// resolve every package that its dependency's manifest names. The server and the command line are in a separate package
// in `Server/`.

import PackageDescription

// Apple's tools need the privacy manifest as a resource. Other systems would get a bundle that no program reads.
#if canImport(Darwin)
let privacyManifest: (exclude: [String], resources: [Resource]) = ([], [.copy("PrivacyInfo.xcprivacy")])
#else
let privacyManifest: (exclude: [String], resources: [Resource]) = (["PrivacyInfo.xcprivacy"], [])
#endif

let package = Package(
    name: "nightlatch",
    // tvOS and watchOS are not supported (docs/apple.md). They have a minimum version, so that the compiler reports the
    // missing API instead of a system that is too old.
    platforms: [.iOS(.v17), .macOS(.v14), .macCatalyst(.v17), .visionOS(.v2), .tvOS(.v17), .watchOS(.v10)],
    products: [
        .library(name: "Nightlatch", targets: ["Nightlatch"]),
        .library(name: "NightlatchArgon2", targets: ["NightlatchArgon2"]),
        .library(name: "NightlatchFuzzReference", targets: ["NightlatchFuzzReference"]),
        .library(name: "NightlatchJourney", targets: ["NightlatchJourney", "NightlatchLogger"]),
        .library(name: "NightlatchJourneyUI", targets: ["NightlatchJourneyUI"]),
        .library(name: "NightlatchPlatform", targets: ["NightlatchPlatform"]),
        .library(name: "NightlatchTesting", targets: ["NightlatchTesting"]),
        .library(name: "NightlatchTwoPartyPin", targets: ["NightlatchTwoPartyPin"]),
        .library(name: "NightlatchUI", targets: ["NightlatchUI"]),
        .library(name: "NightlatchWire", targets: ["NightlatchWire"]),
    ],
    dependencies: [
        // The range is a whole major version, so that an app can resolve the version that its other packages need. The
        // oblivious function of two-party PINs is marked as unstable. It is the same in all versions from 4.0 to 4.5; a
        // change would show as a compile error in NightlatchTwoPartyPin.
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0")
    ],
    targets: [
        .target(
            name: "NightlatchWire",
            dependencies: [.product(name: "Crypto", package: "swift-crypto")]
        ),
        // Swift cannot express a wipe of memory that no optimiser may remove.
        .target(name: "CNightlatchZeroing"),
        .target(
            name: "NightlatchPBKDF2",
            dependencies: [
                // CryptoExtras contains BoringSSL. Apple systems have CommonCrypto and do not need it.
                .product(
                    name: "CryptoExtras",
                    package: "swift-crypto",
                    condition: .when(platforms: [.linux, .android, .windows])
                )
            ]
        ),
        // The function in which Argon2id spends nearly all of its time. In C it is also fast in an app's debug build.
        .target(name: "CNightlatchArgon2"),
        .target(
            name: "NightlatchArgon2",
            dependencies: ["CNightlatchArgon2", "CNightlatchZeroing"]
        ),
        .target(
            name: "Nightlatch",
            dependencies: [
                "CNightlatchZeroing",
                "NightlatchArgon2",
                "NightlatchPBKDF2",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "NightlatchJourney",
            dependencies: [
                "Nightlatch",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        // `Logger` is a name of the vendor's SDK and of the system. A file that does not import this module has no
        // conflict.
        .target(name: "NightlatchLogger", dependencies: ["Nightlatch", "NightlatchJourney"]),
        .target(
            name: "NightlatchPlatform",
            dependencies: [
                "Nightlatch",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: privacyManifest.exclude,
            resources: privacyManifest.resources
        ),
        .target(
            name: "NightlatchTesting",
            dependencies: [
                "Nightlatch",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        // Two-party PINs. A separate target, because its function is in CryptoExtras, which adds BoringSSL on Apple
        // systems.
        .target(
            name: "NightlatchTwoPartyPin",
            dependencies: [
                "Nightlatch",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        // The PIN pad: its state machine and its views.
        .target(name: "NightlatchUI", dependencies: ["Nightlatch", "NightlatchWire"]),
        // The default screens of journeys. A separate target, so that apps without journeys do not link them.
        .target(name: "NightlatchJourneyUI", dependencies: ["Nightlatch", "NightlatchJourney", "NightlatchUI"]),
        // Changes the wall-clock time that the process below sees. Not a product.
        .target(name: "CWallClock", path: "Tests/CWallClock"),
        // A process for tests. Tests kill it, let several such processes guess at the same time, and let it search its
        // own memory. Not a product.
        .executableTarget(
            name: "NightlatchVaultProcess",
            dependencies: [
                "CWallClock",
                "Nightlatch",
                "NightlatchPlatform",
                "NightlatchTesting",
                "NightlatchTwoPartyPin",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Tests/NightlatchVaultProcess"
        ),
        // Reads an input as its standard defines it, without the decoders under test. It is a product only for the
        // server's package.
        .target(
            name: "NightlatchFuzzReference",
            dependencies: [
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Fuzz/Reference"
        ),
        // Checks what must be true of each input of a decoder. `make fuzz` and a test over the corpus call it. Not a
        // product.
        .target(
            name: "NightlatchFuzzing",
            dependencies: [
                "Nightlatch",
                "NightlatchFuzzReference",
                "NightlatchJourney",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Fuzz/Targets"
        ),
        // The logic of the app Examples/DeviceChecks, which has a manifest and an Xcode project of its own. Here its
        // tests run it over the models of Apple's frameworks. Not a product.
        .target(
            name: "DeviceChecks",
            dependencies: [
                "Nightlatch",
                "NightlatchPlatform",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Examples/DeviceChecks/Checks"
        ),
        .testTarget(name: "NightlatchFuzzingTests", dependencies: ["NightlatchFuzzing"]),
        .testTarget(
            name: "NightlatchWireTests",
            dependencies: [
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "NightlatchArgon2Tests",
            dependencies: ["CNightlatchZeroing", "NightlatchArgon2"]
        ),
        .testTarget(
            name: "NightlatchTests",
            dependencies: [
                "Nightlatch",
                "NightlatchArgon2",
                "NightlatchPBKDF2",
                "NightlatchPlatform",
                "NightlatchTesting",
                // The other systems have no child processes.
                .target(name: "NightlatchVaultProcess", condition: .when(platforms: [.linux, .macOS])),
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["VaultReader"]
        ),
        // Programs as in an app, in both language modes and with the compiler's defaults. The files of the second
        // target are links to those of the first.
        .testTarget(
            name: "JourneyProgramsSwift6Tests",
            dependencies: [
                "Nightlatch", "NightlatchJourney", "NightlatchLogger", "NightlatchPlatform", "NightlatchTesting",
                "NightlatchWire",
            ],
            path: "Tests/JourneyPrograms",
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .testTarget(
            name: "JourneyProgramsSwift5Tests",
            dependencies: [
                "Nightlatch", "NightlatchJourney", "NightlatchLogger", "NightlatchPlatform", "NightlatchTesting",
                "NightlatchWire",
            ],
            path: "Tests/JourneyProgramsSwift5",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "NightlatchJourneyTests",
            dependencies: [
                "Nightlatch",
                "NightlatchJourney",
                "NightlatchPlatform",
                "NightlatchTesting",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["Server"]
        ),
        .testTarget(
            name: "NightlatchPlatformTests",
            dependencies: [
                "DeviceChecks",
                "Nightlatch",
                "NightlatchPlatform",
                "NightlatchTesting",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "NightlatchTwoPartyPinTests",
            dependencies: [
                "Nightlatch",
                "NightlatchTesting",
                "NightlatchTwoPartyPin",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "NightlatchUITests",
            dependencies: ["Nightlatch", "NightlatchPlatform", "NightlatchTesting", "NightlatchUI", "NightlatchWire"]
        ),
        .testTarget(
            name: "NightlatchJourneyUITests",
            dependencies: [
                "Nightlatch", "NightlatchJourney", "NightlatchJourneyUI", "NightlatchTesting", "NightlatchUI",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

#if os(Linux)
// Keys in a TPM 2.0. A separate product, so that only an app that uses it builds it and needs tpm2-tss.
package.products.append(.library(name: "NightlatchTPM", targets: ["NightlatchTPM"]))
package.targets += [
    .systemLibrary(name: "CTSS2", pkgConfig: "tss2-esys", providers: [.apt(["libtss2-dev"])]),
    .target(
        name: "NightlatchTPM",
        dependencies: [
            "CNightlatchZeroing",
            "CTSS2",
            "Nightlatch",
            "NightlatchWire",
            .product(name: "Crypto", package: "swift-crypto"),
        ]
    ),
    .testTarget(
        name: "NightlatchTPMTests",
        dependencies: [
            "Nightlatch",
            "NightlatchTPM",
            "NightlatchTesting",
            "NightlatchWire",
            .product(name: "Crypto", package: "swift-crypto"),
        ]
    ),
]
#endif

let withoutSettings = [
    "CNightlatchArgon2", "CNightlatchZeroing", "CTSS2", "CWallClock", "JourneyProgramsSwift5Tests",
    "JourneyProgramsSwift6Tests",
]
for target in package.targets where !withoutSettings.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ]
}

// Warnings are errors only in this project's own builds, where the Makefile sets the variable to the package that it
// builds. In an app's build, they must not be errors: Xcode and SwiftPM's engine `swiftbuild` suppress the warnings of
// dependencies, and the compiler refuses that option together with this one.
if Context.environment["NIGHTLATCH_WARNINGS_AS_ERRORS"] == "client" {
    for target in package.targets where !withoutSettings.contains(target.name) {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
