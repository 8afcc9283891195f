import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchUI
import NightlatchWire
import Observation
import Testing

@Suite("A screen that is locked behind a vault", .timeLimit(.minutes(5)))
@MainActor
struct ScreenLockTests {
    private static let right = "295038"

    /// A phone with a profile whose vault locks never by itself.
    private struct Phone {
        let clock = ManualClock()
        let profiles: Profiles
        let profile: Profile

        init(limit: Int = 10, sensor: UntouchedSensor? = nil) async throws {
            let (clock, store) = (clock, MemoryStore())
            let policy = try LockoutPolicy(
                firstWaitAfter: limit, waits: [.seconds(30)], limit: limit)
            profiles = Profiles(registry: MemoryStore(), deviceKeys: nil, remembersPinLengths: true) { profile in
                Vault(
                    store: store, clock: clock, lockoutPolicy: policy, pinPolicy: profile.pinPolicy,
                    keyDerivation: .cheap,
                    keyDerivationBounds: .forTests,
                    biometrics: sensor,
                    autoLock: AutoLock(unused: .seconds(100_000), inBackground: .seconds(100_000)))
            }
            let name = try #require(ProfileName(rawValue: "Alice"))
            let outcome = try await profiles.register(name, prompt: ScriptedPerson(creating: [.pin(right)]))
            guard case .registered(let profile, let open) = outcome else { throw CancellationError() }
            if sensor != nil {
                try await LocalAuthService(profile: profile.id, in: profiles, prompt: ScriptedPerson())
                    .setUp(.biometrics, in: open)
            }
            await open.lock()
            self.profile = profile
        }

        @MainActor
        func lock(timeAway: Duration = .seconds(60)) -> ScreenLock {
            let pad = PinPadModel()
            let service = LocalAuthService(profile: profile.id, in: profiles, prompt: pad)
            return ScreenLock(service, pad: pad, reason: "Show the balance", timeAway: timeAway, clock: clock)
        }
    }

    /// A sensor that nobody touches: its prompt stands until whoever asks is cancelled.
    private struct UntouchedSensor: BiometricKeyring {
        private let keys = ScriptedBiometrics()
        /// "asked" for each prompt, "gone" once it went.
        let events: AsyncStream<String>
        private let tell: AsyncStream<String>.Continuation

        init() { (events, tell) = AsyncStream.makeStream() }

        func availability() async -> BiometricAvailability { .available }

        func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey {
            try await keys.create(key)
        }

        func open(
            _ box: HPKEBox,
            with key: BiometricKeyID,
            info: [UInt8],
            reason: String
        ) async throws(BiometricError) -> SecretBytes {
            tell.yield("asked")
            let (touches, never) = AsyncStream<Void>.makeStream()
            for await _ in touches {}
            never.finish()
            tell.yield("gone")
            throw .interrupted
        }

        func remove(_ key: BiometricKeyID) async throws(BiometricError) { try await keys.remove(key) }
    }

    /// Returns when what is asked for has come.
    private static func wait(until isReached: @escaping @MainActor () -> Bool) async {
        while !isReached() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = isReached()
                } onChange: {
                    // It is told before the change; this runs after it.
                    Task { @MainActor in continuation.resume() }
                }
            }
        }
    }

    private static func type(_ digits: String, at lock: ScreenLock) async {
        await wait { lock.pad.display.keys.contains(.digit(.one)) }
        for digit in digits.compactMap(\.wholeNumberValue).compactMap({ PinDigit(rawValue: UInt8($0)) }) {
            lock.pad.press(.digit(digit))
        }
    }

    @Test("UI3: in front it asks, the PIN opens the vault, and being away locks both")
    func life() async throws {
        let phone = try await Phone()
        let lock = phone.lock()
        #expect(lock.isCovered && lock.vault == nil && !lock.isAsking)
        lock.appIs(.active)
        #expect(lock.isAsking)
        await Self.type(Self.right, at: lock)
        await Self.wait { lock.isOpen }
        let vault = try #require(lock.vault)
        #expect(!lock.isCovered && lock.end == .unlocked && lock.pad.display.title == .ended(.unlocked))

        lock.appIs(.background)
        #expect(lock.isCovered && lock.isOpen)
        phone.clock.advance(by: .seconds(59))
        lock.appIs(.active)
        #expect(!lock.isCovered && lock.vault === vault)

        lock.appIs(.background)
        phone.clock.advance(by: .seconds(60))
        lock.appIs(.active)
        #expect(lock.isCovered && lock.vault == nil && lock.isAsking && lock.end == nil)
        await lock.settle()
        #expect(await vault.isLocked)
        await Self.type(Self.right, at: lock)
        await Self.wait { lock.isOpen }
    }

    @Test("A person who cancels is not asked again until they want to be")
    func cancelled() async throws {
        let lock = try await Phone().lock()
        lock.appIs(.active)
        await Self.wait { lock.pad.display.keys.contains(.cancel) }
        lock.pad.press(.cancel)
        await Self.wait { lock.end == .cancelled }
        #expect(lock.canAsk && !lock.isAsking && lock.isCovered && lock.vault == nil)
        #expect(lock.pad.display.title == .idle)
        lock.unlock()
        #expect(lock.isAsking)
        await Self.type(Self.right, at: lock)
        await Self.wait { lock.isOpen }
    }

    @Test("UI6: a blocked PIN is told as such, and nothing opens")
    func blocked() async throws {
        let lock = try await Phone(limit: 1).lock()
        lock.appIs(.active)
        await Self.type("860527", at: lock)
        await Self.wait { lock.end != nil }
        #expect(lock.end == .blocked(.newCredentials) && lock.isCovered && lock.vault == nil && !lock.canAsk)
        #expect(lock.pad.display.title == .ended(.blocked(.newCredentials)))
    }

    @Test("What cannot be tried is told with its error, and nothing opens")
    func failed() async throws {
        let phone = try await Phone()
        try await phone.profiles.deregister(phone.profile.id)
        let lock = phone.lock()
        lock.appIs(.active)
        await Self.wait { lock.end != nil }
        #expect(lock.end == .failed && lock.error == .notRegistered && lock.isCovered && !lock.isAsking)
    }

    @Test(
        "UI3: what was typed is gone as soon as the app is in the background, and on return the PIN is asked for from its first digit"
    )
    func leftWhileTyping() async throws {
        let lock = try await Phone().lock()
        lock.appIs(.active)
        await Self.type("2950", at: lock)
        #expect(lock.pad.display.typedCount == 4)
        lock.appIs(.background)
        #expect(lock.pad.display == PinPadDisplay() && !lock.isAsking && lock.isCovered)
        lock.appIs(.active)
        await Self.type("38", at: lock)
        #expect(lock.pad.display.typedCount == 2 && lock.isAsking && !lock.isOpen)
        lock.pad.press(.delete)
        lock.pad.press(.delete)
        await Self.type(Self.right, at: lock)
        await Self.wait { lock.isOpen }
        #expect(lock.end == .unlocked)
    }

    @Test(
        "UI3: a PIN that is being tried when the app is left, or locked by itself, opens nothing any more, and the next one does",
        arguments: [true, false])
    func leftWhileTrying(isLeft: Bool) async throws {
        let lock = try await Phone().lock()
        lock.appIs(.active)
        await Self.type(Self.right, at: lock)
        #expect(lock.pad.display.isBusy)
        if isLeft { lock.appIs(.background) } else { lock.lockNow() }
        #expect(!lock.isAsking && lock.vault == nil)
        if isLeft { lock.appIs(.active) } else { lock.unlock() }
        #expect(lock.isAsking)
        await Self.wait { lock.isOpen || lock.pad.display.keys.contains(.digit(.one)) }
        #expect(!lock.isOpen && lock.vault == nil)
        await Self.type(Self.right, at: lock)
        await Self.wait { lock.isOpen }
        #expect(await lock.vault?.isLocked == false)
    }

    @Test(
        "BI1: a prompt for biometrics is taken away when the app is left, and comes anew on return",
        arguments: [true, false])
    func leftAtTheSensor(isLeft: Bool) async throws {
        let sensor = UntouchedSensor()
        let lock = try await Phone(sensor: sensor).lock()
        var events = sensor.events.makeAsyncIterator()
        lock.appIs(.active)
        #expect(await events.next() == "asked")
        if isLeft { lock.appIs(.background) } else { lock.lockNow() }
        #expect(await events.next() == "gone")
        #expect(lock.pad.display == PinPadDisplay() && !lock.isAsking && lock.end == .cancelled)
        if isLeft { lock.appIs(.active) } else { lock.unlock() }
        #expect(await events.next() == "asked")
        #expect(lock.isAsking)
    }

    @Test("The app locks the screen, and the vault with it")
    func lockedByApp() async throws {
        let lock = try await Phone().lock()
        lock.appIs(.active)
        await Self.type(Self.right, at: lock)
        await Self.wait { lock.isOpen }
        let vault = try #require(lock.vault)
        lock.lockNow()
        await lock.settle()
        #expect(await vault.isLocked)
        #expect(lock.vault == nil && lock.isCovered && !lock.isAsking)
    }

    @Test("A vault that has locked by itself while the app was away is asked for when it comes back")
    func vaultLockedByItself() async throws {
        let lock = try await Phone().lock()
        lock.appIs(.active)
        await Self.type(Self.right, at: lock)
        await Self.wait { lock.isOpen }
        lock.appIs(.background)
        await lock.vault?.lock()
        lock.appIs(.active)
        await Self.wait { lock.isAsking }
        #expect(lock.vault == nil && lock.isCovered)
    }

    @Test("What opens when the person has been away for too long is locked, and told as cancelled")
    func tooLate() async throws {
        let phone = try await Phone()
        let lock = phone.lock()
        lock.appIs(.active)
        await Self.wait { lock.pad.display.keys.contains(.digit(.one)) }
        lock.appIs(.inactive)
        lock.pad.press(.digit(.two))
        #expect(lock.pad.display.typedCount == 1)
        lock.appIs(.background)
        phone.clock.advance(by: .seconds(60))
        await Self.wait { lock.end != nil }
        #expect(lock.end == .cancelled && lock.vault == nil && lock.isCovered)
        #expect(lock.pad.display.title == .idle)
    }
}
