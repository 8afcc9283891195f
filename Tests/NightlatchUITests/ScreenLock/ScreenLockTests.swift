import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchUI
import Testing

@Suite("A screen locked by a vault", .timeLimit(.minutes(5)))
@MainActor
struct ScreenLockTests {
    /// A sensor that is never touched: its prompt stays until the caller is cancelled.
    private struct UntouchedSensor: BiometricKeyring {
        private let keys = ScriptedBiometrics()
        /// "asked" for each prompt, "gone" after its end.
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

    @Test("In front it asks, the PIN opens the vault, and an absence locks both")
    func life() async throws {
        let phone = try await ScreenPhone()
        let lock = phone.lock()
        #expect(lock.isCovered && lock.vault == nil && !lock.isAsking)
        lock.appIs(.active)
        #expect(lock.isAsking)
        await lock.type(ScreenPhone.right)
        await ScreenLock.wait { lock.isOpen }
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
        await lock.type(ScreenPhone.right)
        await ScreenLock.wait { lock.isOpen }
    }

    @Test("A user who cancels is not asked again until the user wants it")
    func cancelled() async throws {
        let lock = try await ScreenPhone().lock()
        lock.appIs(.active)
        await ScreenLock.wait { lock.pad.display.keys.contains(.cancel) }
        lock.pad.press(.cancel)
        await ScreenLock.wait { lock.end == .cancelled }
        #expect(lock.canAsk && !lock.isAsking && lock.isCovered && lock.vault == nil)
        #expect(lock.pad.display.title == .idle)
        lock.unlock()
        #expect(lock.isAsking)
        await lock.type(ScreenPhone.right)
        await ScreenLock.wait { lock.isOpen }
    }

    @Test("A blocked PIN is reported as such, and nothing opens")
    func blocked() async throws {
        let lock = try await ScreenPhone(limit: 1).lock()
        lock.appIs(.active)
        await lock.type("860527")
        await ScreenLock.wait { lock.end != nil }
        #expect(lock.end == .blocked(.newCredentials) && lock.isCovered && lock.vault == nil && !lock.canAsk)
        #expect(lock.pad.display.title == .ended(.blocked(.newCredentials)))
    }

    @Test("A PIN that cannot be tested is reported with the error, and nothing opens")
    func failed() async throws {
        let phone = try await ScreenPhone()
        try await phone.profiles.deregister(phone.profile.id)
        let lock = phone.lock()
        lock.appIs(.active)
        await ScreenLock.wait { lock.end != nil }
        #expect(lock.end == .failed && lock.error == .registry(.notRegistered) && lock.isCovered && !lock.isAsking)
    }

    @Test("Typed digits are cleared in the background, and on return the PIN is typed from its first digit")
    func leftWhileTyping() async throws {
        let lock = try await ScreenPhone().lock()
        lock.appIs(.active)
        await lock.type("2950")
        #expect(lock.pad.display.typedCount == 4)
        lock.appIs(.background)
        #expect(lock.pad.display == PinPadDisplay() && !lock.isAsking && lock.isCovered)
        lock.appIs(.active)
        await lock.type("38")
        #expect(lock.pad.display.typedCount == 2 && lock.isAsking && !lock.isOpen)
        lock.pad.press(.delete)
        lock.pad.press(.delete)
        await lock.type(ScreenPhone.right)
        await ScreenLock.wait { lock.isOpen }
        #expect(lock.end == .unlocked)
    }

    @Test(
        "A PIN whose test is interrupted by leaving or locking opens nothing, and the next one does",
        arguments: [true, false])
    func leftWhileTrying(isLeft: Bool) async throws {
        let lock = try await ScreenPhone().lock()
        lock.appIs(.active)
        await lock.type(ScreenPhone.right)
        #expect(lock.pad.display.isBusy)
        if isLeft { lock.appIs(.background) } else { lock.lockNow() }
        #expect(!lock.isAsking && lock.vault == nil)
        if isLeft { lock.appIs(.active) } else { lock.unlock() }
        #expect(lock.isAsking)
        await ScreenLock.wait { lock.isOpen || lock.pad.display.keys.contains(.digit(.one)) }
        #expect(!lock.isOpen && lock.vault == nil)
        await lock.type(ScreenPhone.right)
        await ScreenLock.wait { lock.isOpen }
        #expect(await lock.vault?.isLocked == false)
    }

    @Test("A biometric prompt is withdrawn when the app is left, and shown again on return", arguments: [true, false])
    func leftAtTheSensor(isLeft: Bool) async throws {
        let sensor = UntouchedSensor()
        let lock = try await ScreenPhone(sensor: sensor).lock()
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
        let lock = try await ScreenPhone().lock()
        lock.appIs(.active)
        await lock.type(ScreenPhone.right)
        await ScreenLock.wait { lock.isOpen }
        let vault = try #require(lock.vault)
        lock.lockNow()
        await lock.settle()
        #expect(await vault.isLocked)
        #expect(lock.vault == nil && lock.isCovered && !lock.isAsking)
    }

    @Test("A vault that has locked automatically during an absence is asked for on return")
    func vaultLockedByItself() async throws {
        let lock = try await ScreenPhone().lock()
        lock.appIs(.active)
        await lock.type(ScreenPhone.right)
        await ScreenLock.wait { lock.isOpen }
        lock.appIs(.background)
        await lock.vault?.lock()
        lock.appIs(.active)
        await ScreenLock.wait { lock.isAsking }
        #expect(lock.vault == nil && lock.isCovered)
    }

    @Test("A vault that opens after too long an absence is locked, and the result is cancelled")
    func tooLate() async throws {
        let phone = try await ScreenPhone()
        let lock = phone.lock()
        lock.appIs(.active)
        await ScreenLock.wait { lock.pad.display.keys.contains(.digit(.one)) }
        lock.appIs(.inactive)
        lock.pad.press(.digit(.two))
        #expect(lock.pad.display.typedCount == 1)
        lock.appIs(.background)
        phone.clock.advance(by: .seconds(60))
        await ScreenLock.wait { lock.end != nil }
        #expect(lock.end == .cancelled && lock.vault == nil && lock.isCovered)
        #expect(lock.pad.display.title == .idle)
    }
}
