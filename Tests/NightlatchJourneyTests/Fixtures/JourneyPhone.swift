import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire

/// A device with scripted parts: stores that fail together, software keys, a sensor for each key, a user and a server.
struct JourneyPhone: Sendable {
    let registry: FaultyStore
    let clock = ManualClock()
    let server = ScriptedServer()
    let person = ScriptedScreen()
    private let stores = Shared<[String: FaultyStore]>([:])
    private let keyrings = Shared<[KeyTag: ScriptedBiometrics]>([:])
    private let sensor = Shared(BiometricAvailability.available)
    private let interruption = Shared<(@Sendable () async -> Void)?>(nil)
    private let nextPrompt = Shared<BiometricError?>(nil)
    private let lockoutPolicy: LockoutPolicy
    private let hasBiometrics: Bool
    private let made = Shared<DeviceBindingEnvironment?>(nil)

    static let start = Date(timeIntervalSince1970: 1_790_000_000)

    init(lockoutPolicy: LockoutPolicy = .login, hasBiometrics: Bool = true) {
        registry = FaultyStore(MemoryStore())
        self.lockoutPolicy = lockoutPolicy
        self.hasBiometrics = hasBiometrics
    }

    /// The app's environment, the same while its process runs.
    var environment: DeviceBindingEnvironment {
        let new = environment(now: { Self.start })
        return made.withLock { made in
            let environment = made ?? new
            made = environment
            return environment
        }
    }

    /// Ends the app's process and starts another.
    func restart() {
        made.withLock { $0 = nil }
    }

    func environment(
        now: @escaping @Sendable () -> Date = { start },
        userInterface: BindingUserInterface? = nil,
        bringsKeyrings: Bool = true
    ) -> DeviceBindingEnvironment {
        var environment = DeviceBindingEnvironment(
            applicationID: "com.example.app", registry: registry,
            deviceKeys: InterruptedKeys(
                base: SoftwareDeviceKeys { tag in store("key \(tag)") }, interruption: interruption), clock: clock,
            vault: { [clock, lockoutPolicy] tag in
                Vault(
                    store: store("vault \(tag)"), clock: clock,
                    configuration: VaultConfiguration(
                        lockoutPolicy: lockoutPolicy, pinPolicy: .anyLength,
                        keyDerivation: .cheap, keyDerivationBounds: .forTests))
            },
            biometrics: { [hasBiometrics] tag, _ in hasBiometrics && bringsKeyrings ? keyring(tag) : nil })
        environment.deviceName = "Phone"
        environment.userInterface = userInterface ?? person.userInterface
        environment.now = now
        return environment
    }

    func journey(realm: String? = "alpha", _ change: (JourneyConfig) -> Void = { _ in }) -> Journey {
        Journey.createJourney { config in
            config.serverUrl = "https://example.com/am"
            if let realm { config.realm = realm }
            config.languages = ["en-GB", "de"]
            config.transport = server
            config.deviceBinding = environment
            change(config)
        }
    }

    func set(_ availability: BiometricAvailability) {
        sensor.withLock { $0 = availability }
        for keyring in keyrings.withLock({ Array($0.values) }) { keyring.set(availability) }
    }

    /// Runs `act` just before the next device key is made.
    func interruptNextKey(_ act: @escaping @Sendable () async -> Void) {
        interruption.withLock { $0 = act }
    }

    /// Makes the first prompt of the next key fail with `failure`.
    func failFirstPrompt(of failure: BiometricError) {
        nextPrompt.withLock { $0 = failure }
    }

    /// The keyrings that were made, in no order.
    var allKeyrings: [ScriptedBiometrics] { keyrings.withLock { Array($0.values) } }

    private func keyring(_ tag: KeyTag) -> ScriptedBiometrics {
        let availability = sensor.withLock { $0 }
        return keyrings.withLock { keyrings in
            if let known = keyrings[tag] { return known }
            let new = ScriptedBiometrics()
            new.set(availability)
            if let failure = nextPrompt.withLock({ $0.take() }) { new.script(.fails(failure)) }
            keyrings[tag] = new
            return new
        }
    }

    private func store(_ name: String) -> FaultyStore {
        stores.withLock { stores in
            if let known = stores[name] { return known }
            let new = FaultyStore(MemoryStore(), failingWith: registry)
            stores[name] = new
            return new
        }
    }

    /// The numbers of device keys, vaults and biometric keys.
    func possessions() async throws -> Possessions {
        var possessions = Possessions()
        for (name, store) in stores.withLock({ $0 }) where try await store.read() != nil {
            if name.hasPrefix("key") { possessions.keys += 1 } else { possessions.vaults += 1 }
        }
        possessions.biometricKeys = allKeyrings.reduce(0) { $0 + $1.keys.count }
        return possessions
    }

    struct Possessions: Hashable {
        var keys = 0
        var vaults = 0
        var biometricKeys = 0
    }

    /// Starts a journey whose first step is this callback, and returns the callback.
    func callback<Kind: Callback>(_ json: String, as kind: Kind.Type = Kind.self) async throws -> (Kind, ContinueNode) {
        server.script(.ask(json))
        guard let node = await journey().start("Test") as? ContinueNode, let callback = node.callbacks.first as? Kind
        else {
            throw Unexpected()
        }
        return (callback, node)
    }

    /// Binds a key of `type`, in a journey that succeeds.
    @discardableResult
    func bind(_ type: String = "NONE", user: String = Callbacks.userID, name: String = "gbafal") async throws -> UserKey
    {
        let (callback, node) = try await callback(
            Callbacks.binding(type, user: user, name: name), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        server.script(.success)
        guard await node.next() is SuccessNode else { throw Unexpected() }
        guard let key = try await keys().first(where: { $0.userId == user }) else { throw Unexpected() }
        return key
    }

    /// Signs for `user` in a journey that the server ends with `answer`.
    ///
    /// - Returns: The key that signed.
    @discardableResult
    func sign(user: String? = Callbacks.userID, _ answer: ScriptedServer.Answer = .success) async throws -> String {
        let (callback, node) = try await callback(Callbacks.signing(user: user), as: DeviceSigningVerifierCallback.self)
        _ = try await callback.sign().get()
        let message = try SentMessage(server: callback)
        server.script(answer)
        _ = await node.next()
        return message.keyID
    }

    func keys() async throws -> [UserKey] {
        guard let list = journey().userKeys else { throw Unexpected() }
        return try await list.getAllKeys()
    }

    struct Unexpected: Error {}
}

/// Keys that run a test's closure before they create the next key.
private struct InterruptedKeys: DeviceKeys {
    let base: any DeviceKeys
    let interruption: Shared<(@Sendable () async -> Void)?>

    func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey {
        let act = interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }
        await act?()
        return try await base.create(tag, access: access)
    }

    func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)? {
        try await base.find(tag, access: access)
    }

    func remove(_ tag: KeyTag) async throws(DeviceKeyError) {
        try await base.remove(tag)
    }
}
