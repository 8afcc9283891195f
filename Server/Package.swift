// swift-tools-version:6.2

// The relying party and the command line. Apps never resolve this package; it uses the root package by its path.

import PackageDescription

// The trait that each dependency needs. A package with `traits: []` resolves only swift-crypto, swift-log and
// swift-metrics, which NightlatchRelyingParty, NightlatchPostgres and NightlatchTokenVerification use.
let traits = [
    "async-http-client": "HTTP",
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

// A product of another package. If the package needs a trait, the product does too.
func product(_ name: String, of package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: traits[package].flatMap { .when(traits: [$0]) })
}

// A release of the command contains no symbols and no debug information, which are more than half of its size. A
// debugger or a profiler needs them: set the variable for the build.
let symbols = Context.environment["NIGHTLATCH_KEEP_SYMBOLS"] == "1" ? [] : ["-Xlinker", "--strip-all"]

let package = Package(
    name: "nightlatch-server",
    // The server runs on Linux and macOS. The libraries for apps are in the root package.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "NightlatchConsole", targets: ["NightlatchConsole"]),
        .library(name: "NightlatchLoginPage", targets: ["NightlatchLoginPage"]),
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
    // above.
    traits: [
        .trait(name: "Commands", description: "The executables.", enabledTraits: ["Console", "SQLite"]),
        .trait(name: "Console", description: "NightlatchConsole.", enabledTraits: ["HTTP"]),
        .trait(name: "HTTP", description: "NightlatchServer, NightlatchLoginPage and NightlatchResourceServer."),
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
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.0"),
    ],
    targets: [
        // Verifies access tokens and proofs, for the relying party and for resource servers.
        .target(
            name: "NightlatchTokenVerification",
            dependencies: [
                product("NightlatchWire", of: "nightlatch"),
                product("Crypto", of: "swift-crypto"),
                product("CryptoExtras", of: "swift-crypto"),
            ]
        ),
        // Calls the system's bcrypt, which is in libxcrypt on Linux. macOS has none.
        .target(
            name: "CNightlatchCrypt",
            linkerSettings: [.linkedLibrary("crypt", .when(platforms: [.linux]))]
        ),
        // The rules of the relying party: verification, ceremonies, journeys, tokens, audit, and the port to stores. It
        // uses neither HTTP nor a database.
        .target(
            name: "NightlatchRelyingParty",
            dependencies: [
                "CNightlatchCrypt",
                "NightlatchTokenVerification",
                product("NightlatchArgon2", of: "nightlatch"),
                product("NightlatchWire", of: "nightlatch"),
                product("Crypto", of: "swift-crypto"),
                product("CryptoExtras", of: "swift-crypto"),
                product("Metrics", of: "swift-metrics"),
            ]
        ),
        .target(
            name: "NightlatchSQLite",
            dependencies: [
                "CNightlatchSQLite",
                "NightlatchRelyingParty",
                product("NightlatchWire", of: "nightlatch"),
                product("GRDB", of: "GRDB.swift"),
                product("GRDBSQLite", of: "GRDB.swift"),
                product("Metrics", of: "swift-metrics"),
            ]
        ),
        // Serves a relying party over HTTP: routes, limits, the description of the API, composition.
        .target(
            name: "NightlatchServer",
            dependencies: [
                "NightlatchRelyingParty",
                "NightlatchTokenVerification",
                product("NightlatchWire", of: "nightlatch"),
                product("AsyncHTTPClient", of: "async-http-client"),
                product("Crypto", of: "swift-crypto"),
                product("HTTPTypes", of: "swift-http-types"),
                product("Hummingbird", of: "hummingbird"),
                product("HummingbirdCore", of: "hummingbird"),
                product("Logging", of: "swift-log"),
                product("Metrics", of: "swift-metrics"),
                product("NIOCore", of: "swift-nio"),
                product("NIOExtras", of: "swift-nio-extras"),
                product("NIOHTTP1", of: "swift-nio"),
                product("NIOPosix", of: "swift-nio"),
                product("NIOHTTPTypesHTTP1", of: "swift-nio-extras"),
                product("NIOSSL", of: "swift-nio-ssl"),
                product("ServiceLifecycle", of: "swift-service-lifecycle"),
            ]
        ),
        // The operators' pages.
        .target(
            name: "NightlatchConsole",
            dependencies: [
                "NightlatchRelyingParty",
                "NightlatchServer",
                product("NightlatchWire", of: "nightlatch"),
                product("Crypto", of: "swift-crypto"),
                product("HTTPTypes", of: "swift-http-types"),
                product("Hummingbird", of: "hummingbird"),
                product("Logging", of: "swift-log"),
                product("Mustache", of: "swift-mustache"),
            ]
        ),
        .systemLibrary(
            name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        // The page on which the user of a browser logs in. A separate module: other programs need no libqrencode.
        .target(
            name: "NightlatchLoginPage",
            dependencies: [
                "CQRCode",
                "NightlatchRelyingParty",
                "NightlatchServer",
                product("NightlatchWire", of: "nightlatch"),
                product("HTTPTypes", of: "swift-http-types"),
                product("Hummingbird", of: "hummingbird"),
            ]
        ),
        .systemLibrary(
            name: "CPKCS11", pkgConfig: "p11-kit-1", providers: [.apt(["libp11-kit-dev"]), .brew(["p11-kit"])]),
        // The master key from a PKCS#11 token. A separate module: other programs need no libp11-kit.
        .target(name: "NightlatchPKCS11", dependencies: ["CPKCS11", "NightlatchRelyingParty"]),
        // For tests: the requirements for every store, and a store in memory.
        .target(
            name: "NightlatchServerTesting",
            dependencies: [
                "NightlatchRelyingParty",
                product("NightlatchWire", of: "nightlatch"),
                product("Crypto", of: "swift-crypto"),
                product("CryptoExtras", of: "swift-crypto"),
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
                product("NightlatchWire", of: "nightlatch"),
                product("Logging", of: "swift-log"),
                product("Metrics", of: "swift-metrics"),
            ]
        ),
        // Starts a separate PostgreSQL server for the tests and the benchmarks. Not a product.
        .target(name: "NightlatchPostgresCluster", dependencies: ["NightlatchServerProcess"]),
        // Verifies the relying party's access tokens in another server, which needs no access to the database.
        .target(
            name: "NightlatchResourceServer",
            dependencies: [
                "NightlatchTokenVerification",
                product("Nightlatch", of: "nightlatch"),
                product("NightlatchPlatform", of: "nightlatch"),
                product("NightlatchWire", of: "nightlatch"),
                product("HTTPTypes", of: "swift-http-types"),
                product("Hummingbird", of: "hummingbird"),
                product("Logging", of: "swift-log"),
            ]
        ),
        // Starts the command as a process, for the demonstration and the benchmarks.
        .target(
            name: "NightlatchServerProcess",
            dependencies: [product("NightlatchWire", of: "nightlatch")]
        ),
        // The code that both commands share: exit codes, output, options, the places of a device's vault and keys.
        .target(
            name: "NightlatchProgram",
            dependencies: [
                product("Nightlatch", of: "nightlatch"),
                product("NightlatchPlatform", of: "nightlatch"),
                product("NightlatchWire", of: "nightlatch"),
                product("ArgumentParser", of: "swift-argument-parser"),
            ]
        ),
        // The demonstration. With --script it starts the command `nightlatch`, which is built beside it.
        .executableTarget(
            name: "NightlatchDemo",
            dependencies: [
                "NightlatchLoginPage",
                "NightlatchProgram",
                "NightlatchRelyingParty",
                "NightlatchSQLite",
                "NightlatchServer",
                "NightlatchServerProcess",
                product("Nightlatch", of: "nightlatch"),
                product("NightlatchPlatform", of: "nightlatch"),
                product("NightlatchUI", of: "nightlatch"),
                product("NightlatchWire", of: "nightlatch"),
                product("ArgumentParser", of: "swift-argument-parser"),
                product("Crypto", of: "swift-crypto"),
                product("HTTPTypes", of: "swift-http-types"),
                product("Hummingbird", of: "hummingbird"),
                product("HummingbirdCore", of: "hummingbird"),
                product("Logging", of: "swift-log"),
                product("NIOCore", of: "swift-nio"),
                product("ServiceLifecycle", of: "swift-service-lifecycle"),
            ]
        ),
        // This target is not named after its product: on a file system that ignores case, a module `nightlatch` would
        // replace the module `Nightlatch`.
        .executableTarget(
            name: "NightlatchCommand",
            dependencies: [
                "NightlatchConsole",
                "NightlatchLoginPage",
                "NightlatchPKCS11",
                "NightlatchPostgres",
                "NightlatchProgram",
                "NightlatchRelyingParty",
                "NightlatchSQLite",
                "NightlatchServer",
                product("Nightlatch", of: "nightlatch"),
                product("NightlatchPlatform", of: "nightlatch"),
                product("NightlatchTwoPartyPin", of: "nightlatch"),
                product("NightlatchUI", of: "nightlatch"),
                product("NightlatchWire", of: "nightlatch"),
                product("ArgumentParser", of: "swift-argument-parser"),
                product("AsyncHTTPClient", of: "async-http-client"),
                product("Configuration", of: "swift-configuration"),
                product("Hummingbird", of: "hummingbird"),
                product("HummingbirdCore", of: "hummingbird"),
                product("Logging", of: "swift-log"),
                product("Metrics", of: "swift-metrics"),
                product("NIOCore", of: "swift-nio"),
                product("NIOHTTP1", of: "swift-nio"),
                product("NIOPosix", of: "swift-nio"),
                product("NIOSSL", of: "swift-nio-ssl"),
                product("ServiceLifecycle", of: "swift-service-lifecycle"),
                product("UnixSignals", of: "swift-service-lifecycle"),
            ],
            linkerSettings: [
                // With static linking, a call into Swift's libraries needs no lookup in a table, and a login makes
                // thousands of such calls. SwiftPM allows such flags for executables, not for libraries. LLVM's linker
                // accepts archives in any order. FoundationNetworking calls libcurl.
                .unsafeFlags(
                    [
                        "-static-stdlib", "-use-ld=lld", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
                        "-l_FoundationCollections", "-l_CFURLSessionInterface", "-Xlinker", "-l:libcurl.so.4",
                    ] + symbols, .when(platforms: [.linux], configuration: .release))
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
                product("Nightlatch", of: "nightlatch"),
                product("NightlatchArgon2", of: "nightlatch"),
                product("NightlatchPlatform", of: "nightlatch"),
                product("NightlatchTesting", of: "nightlatch"),
                product("NightlatchTwoPartyPin", of: "nightlatch"),
                product("NightlatchWire", of: "nightlatch"),
                product("ArgumentParser", of: "swift-argument-parser"),
                product("Crypto", of: "swift-crypto"),
                product("GRDB", of: "GRDB.swift"),
                product("NIOCore", of: "swift-nio"),
                product("NIOPosix", of: "swift-nio"),
            ]
        ),
        // Checks what must be true of each input of the server's decoders. `make fuzz` and a test over the corpus call
        // it. Not a product.
        .target(
            name: "NightlatchServerFuzzing",
            dependencies: [
                "NightlatchRelyingParty",
                "NightlatchTokenVerification",
                product("NightlatchFuzzReference", of: "nightlatch"),
                product("NightlatchWire", of: "nightlatch"),
                product("Crypto", of: "swift-crypto"),
            ],
            path: "Fuzz/Targets"
        ),
        .testTarget(name: "NightlatchServerFuzzingTests", dependencies: ["NightlatchServerFuzzing"]),
        .testTarget(
            name: "NightlatchServerTests",
            dependencies: [
                "NightlatchConsole",
                "NightlatchLoginPage",
                "NightlatchPostgres",
                "NightlatchPostgresCluster",
                "NightlatchRelyingParty",
                "NightlatchResourceServer",
                "NightlatchSQLite",
                "NightlatchServer",
                "NightlatchServerTesting",
                "NightlatchTokenVerification",
                product("NightlatchWire", of: "nightlatch"),
                product("Nightlatch", of: "nightlatch"),
                product("NightlatchPlatform", of: "nightlatch"),
                product("NightlatchTesting", of: "nightlatch"),
                product("Crypto", of: "swift-crypto"),
                product("CryptoExtras", of: "swift-crypto"),
                product("GRDB", of: "GRDB.swift"),
                product("HTTPTypes", of: "swift-http-types"),
                product("Hummingbird", of: "hummingbird"),
                product("HummingbirdTesting", of: "hummingbird"),
                product("JWTKit", of: "jwt-kit"),
                product("Logging", of: "swift-log"),
                product("NIOCore", of: "swift-nio"),
                product("NIOEmbedded", of: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "NightlatchCommand",
                "NightlatchDemo",
                "NightlatchLoginPage",
                "NightlatchPKCS11",
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
                product("Nightlatch", of: "nightlatch"),
                product("NightlatchArgon2", of: "nightlatch"),
                product("NightlatchJourney", of: "nightlatch"),
                product("NightlatchPlatform", of: "nightlatch"),
                product("NightlatchTesting", of: "nightlatch"),
                product("NightlatchTwoPartyPin", of: "nightlatch"),
                product("NightlatchUI", of: "nightlatch"),
                product("NightlatchWire", of: "nightlatch"),
                product("Crypto", of: "swift-crypto"),
                product("CryptoExtras", of: "swift-crypto"),
                product("HTTPTypes", of: "swift-http-types"),
                product("Hummingbird", of: "hummingbird"),
                product("HummingbirdTesting", of: "hummingbird"),
                product("GRDB", of: "GRDB.swift"),
                product("Logging", of: "swift-log"),
                product("Subprocess", of: "swift-subprocess"),
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

// Warnings are errors only in this project's own builds: the Makefile names the package that it builds. In an app's
// build they must not be: Xcode and SwiftPM's engine `swiftbuild` suppress the warnings of dependencies, and the
// compiler refuses both options together.
if Context.environment["NIGHTLATCH_WARNINGS_AS_ERRORS"] == "server" {
    for target in package.targets where target.type != .system {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
