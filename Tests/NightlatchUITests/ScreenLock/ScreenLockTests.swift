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

        init(limit: Int = 10) async throws {
            let (clock, store) = (clock, MemoryStore())
            let policy = try LockoutPolicy(
                firstWaitAfter: limit, waits: [.seconds(30)], limit: limit)
            profiles = Profiles(registry: MemoryStore(), deviceKeys: nil, remembersPinLengths: true) { profile in
                Vault(
                    store: store, clock: clock, lockoutPolicy: policy, pinPolicy: profile.pinPolicy,
                    keyDerivation: .cheap,
                    keyDerivationBounds: .forTests,
                    autoLock: AutoLock(unused: .seconds(100_000), inBackground: .seconds(100_000)))
            }
            let name = try #require(ProfileName(rawValue: "Alice"))
            let outcome = try await profiles.register(name, prompt: ScriptedPerson(creating: [.pin(right)]))
            guard case .registered(let profile, let open) = outcome else { throw CancellationError() }
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
        lock.appIs(.background)
        phone.clock.advance(by: .seconds(60))
        await Self.type(Self.right, at: lock)
        await Self.wait { lock.end != nil }
        #expect(lock.end == .cancelled && lock.vault == nil && lock.isCovered)
        #expect(lock.pad.display.title == .idle)
    }
}
