import Nightlatch
import NightlatchTesting
import NightlatchUI
import NightlatchWire
import Observation
import Testing

/// A phone with a profile, whose vault several windows can show.
struct ScreenPhone {
    static let right = "295038"

    let clock = ManualClock()
    let profiles: Profiles
    let profile: Profile
    let store = FaultyStore(MemoryStore())
    private let autoLock: AutoLock

    init(
        limit: Int = 10,
        sensor: (any BiometricKeyring)? = nil,
        autoLock: AutoLock = AutoLock(unused: .seconds(100_000), inBackground: .seconds(100_000))
    ) async throws {
        let (clock, store) = (clock, store)
        self.autoLock = autoLock
        let policy = try LockoutPolicy(firstWaitAfter: limit, waits: [.seconds(30)], limit: limit)
        profiles = Profiles(registry: MemoryStore(), deviceKeys: nil, remembersPinLengths: true) { profile in
            Vault(
                store: store, clock: clock, biometrics: sensor,
                configuration: VaultConfiguration(
                    lockoutPolicy: policy, keyDerivation: .cheap,
                    keyDerivationBounds: .forTests, autoLock: autoLock))
        }
        let name = try #require(ProfileName(rawValue: "Alice"))
        let outcome = try await profiles.register(name, prompt: ScriptedPerson(creating: [.pin(Self.right)]))
        guard case .registered(let profile, let open) = outcome else { throw CancellationError() }
        if sensor != nil {
            try await LocalAuthService(profile: profile.id, in: profiles, prompt: ScriptedPerson())
                .setUp(.biometrics, in: open)
        }
        await open.lock()
        self.profile = profile
    }

    /// Makes a window with its own pad.
    @MainActor
    func lock(timeAway: Duration = .seconds(60), order: AuthenticatorOrder = .preferred) -> ScreenLock {
        let pad = PinPadModel()
        let service = LocalAuthService(
            profile: profile.id, in: profiles, prompt: pad, configuration: LocalAuthConfiguration(order: order))
        return ScreenLock(service, pad: pad, reason: "Show the balance", timeAway: timeAway, clock: clock)
    }

    /// Creates the profile's vault again after it was erased.
    func setUpAgain(_ digits: String) async throws {
        let open = try await profiles.vault(of: profile)
            .create(with: Pin(digits: SecretBytes(copying: Array(digits.utf8))))
        try await open.setUpBiometrics()
        await open.lock()
    }

    /// The vault as another part of the app opens it. It stretches PINs by `iterations`.
    func vault(iterations: Int = 1) -> Vault {
        Vault(
            store: store, clock: clock,
            configuration: VaultConfiguration(
                keyDerivation: .pbkdf2(iterations: iterations),
                keyDerivationBounds: .forTests, autoLock: autoLock))
    }
}

extension ScreenLock {
    /// Returns when the condition is met. Like a view, it checks only after a change of an observed value.
    static func wait(until isReached: @escaping @MainActor () -> Bool) async {
        while !isReached() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = isReached()
                } onChange: {
                    // The observer is called before the change; this runs after it.
                    Task { @MainActor in continuation.resume() }
                }
            }
        }
    }

    /// Waits until the pad accepts digits, and types these.
    func type(_ digits: String) async {
        await Self.wait { self.pad.display.keys.contains(.digit(.one)) }
        for digit in digits.compactMap(\.wholeNumberValue).compactMap({ PinDigit(rawValue: UInt8($0)) }) {
            pad.press(.digit(digit))
        }
    }

    /// Brings the window to the front, where the user types the PIN.
    func openInFront(_ pin: String = ScreenPhone.right) async throws -> OpenVault {
        appIs(.active)
        await type(pin)
        await Self.wait { self.isOpen }
        return try #require(vault)
    }
}
