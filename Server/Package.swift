// swift-tools-version:6.2

// The relying party and the command line. Apps never resolve this package; it uses the root package by its path.

import PackageDescription

let package = Package(
    name: "nightlatch-server",
    // The server runs on Linux and macOS. The libraries for apps are in the root package.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "NightlatchConsole", targets: ["NightlatchConsole"]),
        .library(name: "NightlatchPostgres", targets: ["NightlatchPostgres"]),
        .library(name: "NightlatchRelyingParty", targets: ["NightlatchRelyingParty"]),
        .library(
            name: "NightlatchResourceServer", targets: ["NightlatchResourceServer", "NightlatchTokenVerification"]),
        .library(name: "NightlatchSQLite", targets: ["NightlatchSQLite"]),
        .library(name: "NightlatchServer", targets: ["NightlatchServer"]),
        .library(name: "NightlatchServerTesting", targets: ["NightlatchServerTesting"]),
        .executable(name: "nightlatch", targets: ["NightlatchCommand"]),
        .executable(name: "nightlatch-bench", targets: ["NightlatchBench"]),
        .executable(name: "nightlatch-demo", targets: ["NightlatchDemo"]),
    ],
    // A package that depends on this one names traits, and resolves only the dependencies of these traits. See `traits`
    // below.
    traits: [
        .trait(name: "Commands", description: "The executables.", enabledTraits: ["Console", "SQLite"]),
        .trait(name: "Console", description: "NightlatchConsole.", enabledTraits: ["HTTP"]),
        .trait(name: "HTTP", description: "NightlatchServer and NightlatchResourceServer."),
        .trait(name: "SQLite", description: "NightlatchSQLite."),
        .default(enabledTraits: ["Commands"]),
    ],
    dependencies: [
        .package(name: "nightlatch", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.11.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.0.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess.git", from: "1.0.0"),
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.0"),
    ],
    targets: [
        // Verifies access tokens and proofs, for the relying party and for resource servers.
        .target(
            name: "NightlatchTokenVerification",
            dependencies: [
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        // The rules of the relying party: verification, ceremonies, journeys, tokens, audit, and the port to stores. It
        // uses neither HTTP nor a database.
        .target(
            name: "NightlatchRelyingParty",
            dependencies: [
                "NightlatchTokenVerification",
                .product(name: "NightlatchArgon2", package: "nightlatch"),
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Metrics", package: "swift-metrics"),
            ]
        ),
        .target(
            name: "NightlatchSQLite",
            dependencies: [
                "CNightlatchSQLite",
                "NightlatchRelyingParty",
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Metrics", package: "swift-metrics"),
            ]
        ),
        // Serves a relying party over HTTP: routes, limits, the description of the API, composition.
        .target(
            name: "NightlatchServer",
            dependencies: [
                "NightlatchRelyingParty",
                "NightlatchTokenVerification",
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        // The operators' pages.
        .target(
            name: "NightlatchConsole",
            dependencies: [
                "NightlatchRelyingParty",
                "NightlatchServer",
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
            ]
        ),
        // For tests: the requirements for every store, and a store in memory.
        .target(
            name: "NightlatchServerTesting",
            dependencies: [
                "NightlatchRelyingParty",
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        // Calls `sqlite3_config`, which neither Swift nor GRDB can call. This module finds SQLite in the same way as
        // GRDB, so that both use the same library.
        .systemLibrary(name: "CNightlatchSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // A separate module: a program that uses SQLite alone needs no libpq.
        .target(
            name: "NightlatchPostgres",
            dependencies: [
                "CPostgres",
                "NightlatchRelyingParty",
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ]
        ),
        // Starts a separate PostgreSQL server for the tests and the benchmarks. Not a product.
        .target(name: "NightlatchPostgresCluster", dependencies: ["NightlatchServerProcess"]),
        // Verifies the relying party's access tokens in another server, which needs no access to the database.
        .target(
            name: "NightlatchResourceServer",
            dependencies: [
                "NightlatchTokenVerification",
                .product(name: "Nightlatch", package: "nightlatch"),
                .product(name: "NightlatchPlatform", package: "nightlatch"),
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Starts the command as a process, for the demonstration and the benchmarks.
        .target(
            name: "NightlatchServerProcess",
            dependencies: [.product(name: "NightlatchWire", package: "nightlatch")]
        ),
        // The code that both commands share: exit codes, output, options, the places of a device's vault and keys.
        .target(
            name: "NightlatchProgram",
            dependencies: [
                .product(name: "Nightlatch", package: "nightlatch"),
                .product(name: "NightlatchPlatform", package: "nightlatch"),
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // The demonstration. With --script it starts the command `nightlatch`, which is built beside it.
        .executableTarget(
            name: "NightlatchDemo",
            dependencies: [
                "NightlatchProgram",
                "NightlatchRelyingParty",
                "NightlatchSQLite",
                "NightlatchServer",
                "NightlatchServerProcess",
                .product(name: "Nightlatch", package: "nightlatch"),
                .product(name: "NightlatchPlatform", package: "nightlatch"),
                .product(name: "NightlatchUI", package: "nightlatch"),
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        // This target is not named after its product: on a file system that ignores case, a module `nightlatch` would
        // replace the module `Nightlatch`.
        .executableTarget(
            name: "NightlatchCommand",
            dependencies: [
                "NightlatchConsole",
                // A separate program, which `nightlatch demo` runs. It is not linked; this dependency builds it
                // together with the command.
                "NightlatchDemo",
                "NightlatchPostgres",
                "NightlatchProgram",
                "NightlatchRelyingParty",
                "NightlatchSQLite",
                "NightlatchServer",
                .product(name: "Nightlatch", package: "nightlatch"),
                .product(name: "NightlatchPlatform", package: "nightlatch"),
                .product(name: "NightlatchTwoPartyPin", package: "nightlatch"),
                .product(name: "NightlatchUI", package: "nightlatch"),
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            linkerSettings: [
                // With static linking, a call into Swift's libraries needs no lookup in a table, and a login makes
                // thousands of such calls. SwiftPM allows such flags for executables, not for libraries. LLVM's linker
                // accepts archives in any order. FoundationNetworking calls libcurl.
                .unsafeFlags(
                    [
                        "-static-stdlib", "-use-ld=lld", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
                        "-l_FoundationCollections", "-l_CFURLSessionInterface", "-Xlinker", "-l:libcurl.so.4",
                    ], .when(platforms: [.linux], configuration: .release))
            ]
        ),
        .executableTarget(
            name: "NightlatchBench",
            dependencies: [
                "NightlatchPostgres",
                "NightlatchPostgresCluster",
                "NightlatchRelyingParty",
                "NightlatchSQLite",
                "NightlatchServer",
                "NightlatchServerProcess",
                .product(name: "Nightlatch", package: "nightlatch"),
                .product(name: "NightlatchArgon2", package: "nightlatch"),
                .product(name: "NightlatchPlatform", package: "nightlatch"),
                .product(name: "NightlatchTesting", package: "nightlatch"),
                .product(name: "NightlatchTwoPartyPin", package: "nightlatch"),
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        // Checks what must be true of each input of the server's decoders. `make fuzz` and a test over the corpus call
        // it. Not a product.
        .target(
            name: "NightlatchServerFuzzing",
            dependencies: [
                "NightlatchRelyingParty",
                "NightlatchTokenVerification",
                .product(name: "NightlatchFuzzReference", package: "nightlatch"),
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Fuzz/Targets"
        ),
        .testTarget(name: "NightlatchServerFuzzingTests", dependencies: ["NightlatchServerFuzzing"]),
        .testTarget(
            name: "NightlatchServerTests",
            dependencies: [
                "NightlatchConsole",
                "NightlatchPostgres",
                "NightlatchPostgresCluster",
                "NightlatchRelyingParty",
                "NightlatchResourceServer",
                "NightlatchSQLite",
                "NightlatchServer",
                "NightlatchServerTesting",
                "NightlatchTokenVerification",
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "Nightlatch", package: "nightlatch"),
                .product(name: "NightlatchPlatform", package: "nightlatch"),
                .product(name: "NightlatchTesting", package: "nightlatch"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "NightlatchCommand",
                "NightlatchDemo",
                "NightlatchPostgres",
                "NightlatchPostgresCluster",
                "NightlatchProgram",
                "NightlatchRelyingParty",
                "NightlatchResourceServer",
                "NightlatchSQLite",
                "NightlatchServer",
                "NightlatchServerProcess",
                "NightlatchServerTesting",
                "NightlatchTokenVerification",
                .product(name: "Nightlatch", package: "nightlatch"),
                .product(name: "NightlatchArgon2", package: "nightlatch"),
                .product(name: "NightlatchJourney", package: "nightlatch"),
                .product(name: "NightlatchPlatform", package: "nightlatch"),
                .product(name: "NightlatchTesting", package: "nightlatch"),
                .product(name: "NightlatchTwoPartyPin", package: "nightlatch"),
                .product(name: "NightlatchUI", package: "nightlatch"),
                .product(name: "NightlatchWire", package: "nightlatch"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            exclude: ["JourneyClient", "PinThief"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
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

// The trait that each dependency needs. A package with `traits: []` resolves only swift-crypto, swift-log and
// swift-metrics, which NightlatchRelyingParty, NightlatchPostgres and NightlatchTokenVerification use.
let traits = [
    "GRDB.swift": "SQLite",
    "hummingbird": "HTTP",
    "jwt-kit": "Commands",
    "swift-argument-parser": "Commands",
    "swift-configuration": "Commands",
    "swift-http-types": "HTTP",
    "swift-mustache": "Console",
    "swift-nio": "HTTP",
    "swift-nio-extras": "HTTP",
    "swift-nio-ssl": "HTTP",
    "swift-service-lifecycle": "HTTP",
    "swift-subprocess": "Commands",
]
for target in package.targets {
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let dependencyPackage?, _, nil) = dependency,
            let trait = traits[dependencyPackage]
        else { return dependency }
        return .product(name: name, package: dependencyPackage, condition: .when(traits: [trait]))
    }
}

// Warnings are errors only in this project's own builds: the Makefile names the package that it builds. In an app's
// build they must not be: Xcode and SwiftPM's engine `swiftbuild` suppress the warnings of dependencies, and the
// compiler refuses both options together.
if Context.environment["NIGHTLATCH_WARNINGS_AS_ERRORS"] == "server" {
    for target in package.targets where target.type != .system {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
