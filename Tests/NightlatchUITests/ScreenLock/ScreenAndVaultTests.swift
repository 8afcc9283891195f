import Nightlatch
import NightlatchTesting
import NightlatchUI
import Testing

@Suite("Agreement of a screen and its vault", .timeLimit(.minutes(5)))
@MainActor
struct ScreenAndVaultTests {
    private nonisolated static let other = "714906"

    @Test("A vault that locks automatically in front locks the screen, which can ask again")
    func lockedByItself() async throws {
        let phone = try await ScreenPhone(autoLock: AutoLock(unused: .seconds(300), inBackground: .seconds(60)))
        let lock = phone.lock()
        let vault = try await lock.openInFront()
        phone.clock.advance(by: .seconds(300))
        #expect(!lock.isOpen && lock.isCovered && lock.vault == nil && lock.canAsk)
        // The view is notified, and the pad no longer says "unlocked".
        await ScreenLock.wait { lock.pad.display.title == .idle }
        #expect(await vault.isLocked)
        #expect(!lock.isAsking && lock.canAsk)
        lock.unlock()
        await lock.type(ScreenPhone.right)
        await ScreenLock.wait { lock.isOpen }
    }

    @Test("Without a time away the vault key is gone as soon as the app is in the background")
    func zeroTimeAway() async throws {
        let lock = try await ScreenPhone().lock(timeAway: .zero)
        let vault = try await lock.openInFront()
        lock.appIs(.inactive)
        lock.appIs(.background)
        #expect(!lock.isOpen && vault.opening.end == .locked)
        await lock.settle()
        #expect(await vault.isLocked)
    }

    @Test(
        "A screen that was left locks when its time ends, even without an event",
        arguments: [AppPhase.inactive, .background])
    func toldNothing(phase: AppPhase) async throws {
        let phone = try await ScreenPhone()
        let lock = phone.lock()
        let vault = try await lock.openInFront()
        lock.appIs(phase)
        phone.clock.advance(by: .seconds(59))
        #expect(lock.isOpen)
        phone.clock.advance(by: .seconds(3600))
        await ScreenLock.wait { !lock.isOpen }
        await lock.settle()
        #expect(await vault.isLocked)
        lock.appIs(.active)
        #expect(lock.isAsking)
    }

    @Test("Erasing the vault closes every window that shows it at once")
    func erased() async throws {
        let phone = try await ScreenPhone()
        let locks = [phone.lock(), phone.lock()]
        for lock in locks { _ = try await lock.openInFront() }
        try await phone.vault().erase()
        #expect(locks.allSatisfy { !$0.isOpen && $0.vault == nil && $0.isCovered })
    }

    @Test(
        "A changed PIN, a stronger key derivation or the end of the PIN elsewhere locks the screen, which can ask again",
        arguments: Elsewhere.allCases)
    func superseded(by change: Elsewhere) async throws {
        let phone = try await ScreenPhone()
        let lock = phone.lock()
        let vault = try await lock.openInFront()
        try await change.happen(on: phone)
        await ScreenLock.wait { lock.pad.display.title == .idle }
        #expect(!lock.isOpen && lock.vault == nil && vault.opening.end == .superseded)
        #expect(lock.canAsk && !lock.isAsking)
        await #expect(throws: VaultError.superseded) { try await vault.names() }
        #expect(await vault.isLocked)
        lock.unlock()
        switch change {
        case .changesPin, .strengthensPin:
            await lock.type(change == .changesPin ? Self.other : ScreenPhone.right)
            await ScreenLock.wait { lock.isOpen }
        case .givesUpPin:
            await ScreenLock.wait { lock.end != nil }
            #expect(lock.end == .blocked(.newCredentials))
        }
    }

    enum Elsewhere: CaseIterable {
        case changesPin, strengthensPin, givesUpPin

        func happen(on phone: ScreenPhone) async throws {
            let right = try Pin(digits: SecretBytes(copying: Array(ScreenPhone.right.utf8)))
            switch self {
            case .changesPin:
                let new = try Pin(digits: SecretBytes(copying: Array(ScreenAndVaultTests.other.utf8)))
                await (try await phone.vault().changePin(from: right, to: new)).lock()
            case .strengthensPin: await (try await phone.vault(iterations: 2).unlock(with: right)).lock()
            case .givesUpPin: _ = try await phone.vault().giveUpPin()
            }
        }
    }

    @Test("Changing the PIN on an open screen leaves that screen open, and locks the other windows")
    func changedHere() async throws {
        let phone = try await ScreenPhone()
        let (lock, window) = (phone.lock(), phone.lock())
        let (vault, elsewhere) = (try await lock.openInFront(), try await window.openInFront())
        let person = ScriptedPerson(entering: [.pin(ScreenPhone.right)], creating: [.pin(Self.other)])
        let service = LocalAuthService(profile: phone.profile.id, in: phone.profiles, prompt: person)
        guard case .changed(let changed) = try await service.changePin(in: vault).outcome else {
            Issue.record("the PIN was not changed")
            return
        }
        #expect(changed === vault && lock.isOpen && lock.vault === vault)
        #expect(try await vault.names().isEmpty)
        await ScreenLock.wait { window.pad.display.title == .idle }
        #expect(!window.isOpen && elsewhere.opening.end == .superseded)
        #expect(lock.isOpen && lock.vault === vault && window.canAsk)
    }

    @Test("Locking now locks every window of the profile, and withdraws a challenge of any of them")
    func everyWindow() async throws {
        let phone = try await ScreenPhone()
        let (first, second, asking) = (phone.lock(), phone.lock(), phone.lock())
        let vaults = [try await first.openInFront(), try await second.openInFront()]
        asking.appIs(.active)
        await asking.type(ScreenPhone.right)
        first.lockNow()
        for lock in [first, second, asking] {
            #expect(!lock.isOpen && !lock.isAsking && lock.vault == nil && lock.canAsk)
            await lock.settle()
        }
        for vault in vaults { #expect(await vault.isLocked) }
        let stranger = try await ScreenPhone().lock()
        _ = try await stranger.openInFront()
        first.lockNow()
        #expect(stranger.isOpen)
    }

    @Test("A vault that the app locks closes every window in front of it; the end of an absence closes one window")
    func lockedByApp() async throws {
        let phone = try await ScreenPhone()
        let (first, second) = (phone.lock(), phone.lock())
        let vault = try await first.openInFront()
        var elsewhere = try await second.openInFront()
        await vault.lock()
        #expect(!first.isOpen)
        await ScreenLock.wait { !second.isOpen }
        await second.settle()
        #expect(await elsewhere.isLocked)
        first.unlock()
        let left = try await first.openInFront()
        second.unlock()
        elsewhere = try await second.openInFront()
        first.appIs(.background)
        await left.lock()
        await ScreenLock.wait { first.pad.display.title == .idle }
        #expect(second.isOpen)
        #expect(await !elsewhere.isLocked)
    }

    @Test("Using the vault in one window counts as a use in all")
    func usedElsewhere() async throws {
        let phone = try await ScreenPhone(autoLock: AutoLock(unused: .seconds(300), inBackground: .seconds(60)))
        let (first, second) = (phone.lock(), phone.lock())
        _ = try await first.openInFront()
        let used = try await second.openInFront()
        for _ in 0..<3 {
            phone.clock.advance(by: .seconds(299))
            _ = try await used.names()
        }
        #expect(first.isOpen && second.isOpen)
        phone.clock.advance(by: .seconds(300))
        #expect(!first.isOpen && !second.isOpen)
    }

    @Test("A biometric prompt in one window locks no other, although all of them become inactive")
    func promptElsewhere() async throws {
        let sensor = SlowSensor()
        let phone = try await ScreenPhone(sensor: sensor)
        let shown = phone.lock(timeAway: .zero, order: .pinFirst)
        _ = try await shown.openInFront()
        let asking = phone.lock(timeAway: .zero, order: .biometricsFirst)
        asking.appIs(.active)
        await sensor.promptIsUp()
        for lock in [shown, asking] { lock.appIs(.inactive) }
        phone.clock.advance(by: .seconds(5))
        sensor.recognise()
        await ScreenLock.wait { asking.isOpen }
        for lock in [shown, asking] { lock.appIs(.active) }
        #expect(shown.isOpen && asking.isOpen && sensor.promptCount == 1)
    }
}
