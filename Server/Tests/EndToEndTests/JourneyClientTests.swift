import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Synchronization
import Testing

/// Runs the client's journeys against the server's, over a socket.
@Suite("Journeys of our client at our server", .timeLimit(.minutes(10)))
struct JourneyClientTests {
    private static let pin = "295038"

    /// Returns journeys of a device of alice. Its user always types the right PIN, and its biometrics always succeed.
    private func journey(port: Int, keys folder: String) -> Journey {
        let clock = SystemLockoutClock()
        let stores = Kept { MemoryStore() }
        let keyrings = Kept { ScriptedBiometrics() }
        var environment = DeviceBindingEnvironment(
            applicationID: "com.example.ios", registry: MemoryStore(), deviceKeys: SoftwareDeviceKeys(folder: folder),
            clock: clock,
            vault: { tag in
                Vault(
                    store: stores[tag.rawValue], clock: clock,
                    configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
            },
            biometrics: { tag, _ in keyrings[tag.rawValue] })
        environment.deviceName = "Alice’s phone"
        environment.userInterface = BindingUserInterface(collectPin: { _ in Self.pin })
        return Journey.createJourney { config in
            config.serverUrl = "http://127.0.0.1:\(port)/am"
            config.realm = "alpha"
            config.transport = URLSessionTransport()
            config.deviceBinding = environment
        }
    }

    /// Keeps one value for each name, made at its first use.
    private final class Kept<Value: Sendable>: Sendable {
        private let values = Mutex<[String: Value]>([:])
        private let make: @Sendable () -> Value

        init(_ make: @escaping @Sendable () -> Value) {
            self.make = make
        }

        subscript(_ name: String) -> Value {
            values.withLock { values in
                let value = values[name] ?? make()
                values[name] = value
                return value
            }
        }
    }

    /// Runs a journey to its end and returns its result.
    private func walk(
        _ name: String,
        in journey: Journey,
        claims: [String: any Sendable] = [:],
        forceAuth: Bool = true
    ) async -> String {
        var node = await journey.start(name) { $0.forceAuth = forceAuth }
        while let step = node as? ContinueNode {
            for callback in step.callbacks {
                switch callback {
                case let callback as NameCallback: callback.name = "alice"
                case let callback as PasswordCallback: callback.password = JourneyServer.password
                case let callback as TextInputCallback: callback.text = "Pay 100.00 EUR"
                case let callback as ChoiceCallback: return callback.prompt
                case let callback as DeviceBindingCallback: await callback.bind()
                case let callback as DeviceSigningVerifierCallback: await callback.sign { $0.claims = claims }
                default: return "unknown callback"
                }
            }
            node = await step.next()
        }
        switch node {
        case is SuccessNode: return "success"
        case let error as ErrorNode: return "\(error.status)"
        default: return "\(node)"
        }
    }

    @Test(
        "A key is bound, signs with and without a user name, is renamed, unbound and bound again, with each protection",
        arguments: ["NONE", "APPLICATION_PIN", "BIOMETRIC_ONLY", "BIOMETRIC_ALLOW_FALLBACK"])
    func story(protection: String) async throws {
        let folder = try TemporaryFolder()
        try await JourneyServer.run { port in
            let journey = journey(port: port, keys: folder.path)
            #expect(await walk("usernameless-sign", in: journey) == "401")
            #expect(await walk("bind-\(protection)", in: journey) == "success")
            let keys = try #require(journey.userKeys)
            let key = try #require(try await keys.getAllKeys().first)
            #expect(key.authType.rawValue == protection)
            #expect(await walk("sign", in: journey) == "success")
            try await journey.signOff().get()
            #expect(await walk("usernameless-sign", in: journey) == "success")
            #expect(await walk("transfer", in: journey, claims: ["amount": "100.00"]) == "success")
            #expect(await walk("transfer", in: journey, claims: ["amount": "900.00"]) == "wrong amount")
            let device = try #require(try await journey.boundDevices.list().first)
            #expect(device.id == key.kid && device.deviceName == "Alice’s phone")
            try await journey.boundDevices.rename(device, to: "Old “phone”")
            let renamed = try #require(try await journey.boundDevices.list().first)
            #expect(renamed.deviceName == "Old “phone”")
            try await journey.boundDevices.delete(renamed)
            #expect(try await journey.boundDevices.list().isEmpty)
            #expect(try await keys.getAllKeys().isEmpty)
            #expect(await walk("bind-\(protection)", in: journey) == "success")
            let bound = try await keys.getAllKeys()
            let again = try #require(bound.first)
            #expect(bound.count == 1 && again.kid != key.kid && again.authType.rawValue == protection)
            #expect(await walk("sign", in: journey) == "success")
            #expect(try await journey.boundDevices.list().map(\.id) == [again.kid])
            #expect(await walk("bind-transient", in: journey) == "success")
            #expect(await walk("sign", in: journey) == "success")
        }
    }

    @Test("After the session was deleted, a start asks for the user, although the server had set a cookie")
    func deletedSession() async throws {
        let folder = try TemporaryFolder()
        try await JourneyServer.run { port in
            let journey = journey(port: port, keys: folder.path)
            #expect(await walk("bind-NONE", in: journey) == "success")
            #expect(await journey.start("bind-NONE") is SuccessNode)
            await journey.deleteSession()
            #expect(await journey.start("bind-NONE") is ContinueNode)
        }
    }

    @Test("The server accepts the largest claims that the client signs, and the client refuses one byte more")
    func claims() async throws {
        let folder = try TemporaryFolder()
        try await JourneyServer.run { port in
            let journey = journey(port: port, keys: folder.path)
            #expect(await walk("bind-NONE", in: journey) == "success")
            func signed(byteCount: Int) async throws -> (status: DeviceBindingStatus?, end: any Node) {
                let note = String(repeating: "n", count: byteCount - #"{"note":""}"#.utf8.count)
                let step = try #require(
                    await journey.start("usernameless-sign") { $0.forceAuth = true } as? ContinueNode)
                let callback = try #require(step.callbacks.first as? DeviceSigningVerifierCallback)
                let result = await callback.sign { $0.claims = ["note": note] }
                guard case .failure(let error) = result else { return (nil, await step.next()) }
                return (error as? DeviceBindingStatus, await step.next())
            }
            let most = try await signed(byteCount: 4096)
            #expect(most.status == nil && most.end is SuccessNode, "\(most)")
            let more = try await signed(byteCount: 4097)
            #expect(more.status == .invalidCustomClaims && more.end is ErrorNode, "\(more)")
        }
    }
}
