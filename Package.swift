// swift-tools-version:6.2

// What an app adds. It depends on swift-crypto alone, because the package manager makes an app resolve everything that
// its dependency's manifest names. The server and the command line are a package of their own in `Server/`.

import PackageDescription

// Apple's tools want the privacy manifest as a resource. Elsewhere it would be a bundle that nobody reads.
#if canImport(Darwin)
let privacyManifest: (exclude: [String], resources: [Resource]) = ([], [.copy("PrivacyInfo.xcprivacy")])
#else
let privacyManifest: (exclude: [String], resources: [Resource]) = (["PrivacyInfo.xcprivacy"], [])
#endif

let package = Package(
    name: "nightlatch",
    // tvOS and watchOS are not supported (docs/apple.md). They have a minimum, so that the compiler says what they lack and not that their
    // systems are too old.
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
        // The whole major version, so that an app can have what its other packages need. The oblivious function, which two-party PINs rest
        // on, is marked as not yet stable; it is the same in all versions from 4.0 to 4.5. A change shows when NightlatchTwoPartyPin is built.
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0")
    ],
    targets: [
        .target(
            name: "NightlatchWire",
            dependencies: [.product(name: "Crypto", package: "swift-crypto")]
        ),
        // Wiping memory in a way that no optimiser may remove cannot be said in Swift.
        .target(name: "CNightlatchZeroing"),
        .target(
            name: "NightlatchPBKDF2",
            dependencies: [
                // CryptoExtras brings BoringSSL along; Apple systems have CommonCrypto instead.
                .product(
                    name: "CryptoExtras",
                    package: "swift-crypto",
                    condition: .when(platforms: [.linux, .android, .windows])
                )
            ]
        ),
        // The function that takes nearly all of the time of Argon2id. In C it is fast in an app's debug build too, where Swift is not.
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
            dependencies: ["Nightlatch", "NightlatchWire"]
        ),
        // A name of the vendor's SDK that is the system's too. Who does not import this module has no conflict.
        .target(name: "NightlatchLogger", dependencies: ["NightlatchJourney"]),
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
        // A PIN that hangs on the relying party too. A target of its own, because its function is in CryptoExtras, which brings BoringSSL
        // to Apple systems.
        .target(
            name: "NightlatchTwoPartyPin",
            dependencies: [
                "Nightlatch",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        // What a person touches: the pad's state machine, and what draws it.
        .target(name: "NightlatchUI", dependencies: ["Nightlatch"]),
        // The default screens of journeys. A target of its own, so that apps without journeys have none of them.
        .target(name: "NightlatchJourneyUI", dependencies: ["Nightlatch", "NightlatchJourney", "NightlatchUI"]),
        // No product either: lets the process below see another wall clock than the system's.
        .target(name: "CWallClock", path: "Tests/CWallClock"),
        // No product: a process that tests start, to be killed, to guess beside others, and to look into its own memory.
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
        // What standards say of an input, told without the decoders under test. A product for the server's package
        // alone.
        .target(
            name: "NightlatchFuzzReference",
            dependencies: [
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Fuzz/Reference"
        ),
        // No product: what must hold of every input of a decoder. `make fuzz` and a test over the corpus ask it.
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
                "NightlatchVaultProcess",
                "NightlatchWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["VaultReader"]
        ),
        // Programs as apps have them, in both language modes and under the compiler's defaults. The files of the second are links.
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
// Keys in a TPM 2.0. A product of its own, so that only an app that asks for it builds it and needs tpm2-tss.
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

// Warnings are errors in this project's own builds alone: the Makefile says which package it builds. Never in an app's: Xcode and SwiftPM's
// engine `swiftbuild` suppress the warnings of what an app depends on, and the compiler refuses to do both.
if Context.environment["NIGHTLATCH_WARNINGS_AS_ERRORS"] == "client" {
    for target in package.targets where !withoutSettings.contains(target.name) {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
