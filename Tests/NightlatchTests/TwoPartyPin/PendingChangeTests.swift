import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A change that the hardener may have promoted is, or will be, the vault's. It must not be overwritten before the
/// hardener has said that it will never be promoted.
@Suite("A change of PIN with an unanswered promotion")
struct PendingChangeTests {
    private static let nobody = PinHardenerError.unavailable(.unreachable(reason: "lost by the test"))

    @Test("A local vault with an unanswered enrolment changes its PIN at the hardener, or not at all")
    func changeOverEnrolment() async throws {
        let phone = try await HardenedPhone.pending(.enrolment, isPromoted: true)
        phone.hardener.fail(at: 0, .request)
        await #expect(throws: ChangePinError.rekey(.hardener(Self.nobody))) {
            try await phone.vault().changePin(TestPin.right, to: TestPin.new)
        }
        phone.hardener.repair()
        let open = try await phone.vault().changePin(TestPin.right, to: TestPin.new)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        #expect(try await phone.vault().protection()?.hardener != nil)
        let again = try await phone.vault().unlock(TestPin.new)
        #expect(try await HardenedPhone.secrets(in: again) == HardenedPhone.secrets)
    }

    @Test("An unlock seals nothing again while an unanswered enrolment cannot be queried")
    func rekeyOverEnrolment() async throws {
        let phone = try await HardenedPhone.pending(.enrolment, isPromoted: true)
        phone.hardener.fail(at: 0, .request)
        let stronger = Vault.forTests(
            phone.store, clock: phone.clock, hardener: phone.hardener.client(),
            keyDerivation: .pbkdf2(iterations: 2))
        try await stronger.unlock(TestPin.right)
        phone.hardener.repair()
        try await phone.vault().unlock(TestPin.right)
        #expect(try await phone.vault().protection()?.hardener != nil)
        #expect(phone.hardener.standing(of: phone.device)?.epoch == .first)
    }

    @Test("An open vault after an unanswered change of PIN changes nothing, and reports that it is out of date")
    func openVault() async throws {
        let phone = try await HardenedPhone()
        let open = try await phone.vault().unlock(TestPin.right)
        phone.hardener.fail(at: 4, .answer)
        await #expect(throws: ChangePinError.self) { try await phone.vault().changePin(TestPin.right, to: TestPin.new) }
        phone.hardener.repair()
        await #expect(throws: ChangePinError.self) { try await open.changePin(to: Pin(TestPin.newest)) }
        await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.newest) }
        try await phone.vault().unlock(TestPin.new)
    }

    @Test("If the keys are destroyed before a promoted slot is written, the local slot stays")
    func destroyedOverEnrolment() async throws {
        let phone = try await HardenedPhone.pending(.enrolment, isPromoted: true)
        let steps = Steps()
        let vault = Vault.forTests(
            phone.store, clock: phone.clock, hardener: SteppedHardener(base: phone.hardener.client(), steps: steps))
        // Standing, evaluate.
        steps.interrupt(at: 1) { phone.hardener.answer(.destroyed) }
        let open = try await vault.unlock(TestPin.right)
        #expect(open.rekeyFailure == .hardener(.destroyed))
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        #expect(try await phone.store.hasPinSlot())
        #expect(try await phone.store.failures() == 0)
    }

    @Test("A recovery adopts an unanswered change, and needs the hardener to do so")
    func recoverOverChange() async throws {
        for pending in HardenedPhone.Pending.allCases {
            let phone = try await HardenedPhone.pending(pending, isPromoted: true)
            let before = try await phone.store.json()["change"]
            phone.hardener.fail(at: 0, .request)
            await #expect(throws: RecoveryError.rekey(.hardener(Self.nobody))) {
                try await phone.vault().recover(TestPhrase.right, newPin: TestPin.newest, code: .random())
            }
            #expect(try await phone.store.json()["change"] == before)
            phone.hardener.repair()
            // Without a code nothing is promoted, and the vault has the PIN of the unanswered change.
            await #expect(throws: RecoveryError.rekey(.hardener(.codeNeeded))) {
                try await phone.vault().recover(TestPhrase.right, newPin: TestPin.newest)
            }
            try await phone.vault().unlock(pending == .enrolment ? TestPin.right : TestPin.new)
        }
    }

    @Test("A wrong PIN during an unanswered change is the device's own, and is not reported as foreign")
    func ownWrongGuess() async throws {
        let phone = try await HardenedPhone.pending(.change, isPromoted: true)
        await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
        for _ in 0..<2 {
            let open = try await phone.vault().unlock(TestPin.new)
            #expect(open.foreignGuesses == nil)
        }
        #expect(phone.hardener.standing(of: phone.device)?.epoch == PinEpoch.first.next)
    }

    @Test("Biometrics that a recovery has ended stay so, whatever is written before its promotion is answered")
    func recoveryEndsBiometrics() async throws {
        let phone = try await HardenedPhone()
        let other = try await phone.vault().unlockWithBiometrics(reason: "reason")
        // Open, evaluate, promote.
        phone.hardener.fail(at: 2, .answer)
        await #expect(throws: RecoveryError.self) {
            try await phone.vault().recover(TestPhrase.right, newPin: TestPin.new, code: .random())
        }
        try await other.set("new", named: "token")
        try await other.setUpBiometrics()
        phone.hardener.repair()
        let open = try await phone.vault().unlock(TestPin.new)
        #expect(try await HardenedPhone.secrets(in: open) == ["wallet": "seed", "token": "new"])
        await #expect(throws: BiometricUnlockError.notSetUp) {
            try await phone.vault().unlockWithBiometrics(reason: "reason")
        }
    }

    @Test("A phrase that is removed during an unanswered promotion opens nothing, and the key is changed")
    func phraseRemovedMeanwhile() async throws {
        let phone = try await HardenedPhone()
        let other = try await phone.vault().unlock(TestPin.right)
        phone.hardener.fail(at: 4, .answer)
        await #expect(throws: ChangePinError.self) { try await phone.vault().changePin(TestPin.right, to: TestPin.new) }
        try await other.removeRecovery()
        phone.hardener.repair()
        try await phone.vault().unlock(TestPin.new)
        await #expect(throws: RecoveryError.notSetUp) {
            try await phone.vault().recover(TestPhrase.right, newPin: TestPin.newest, code: .random())
        }
        // Enrolled, changed, and sealed again, because the change on disk was wrapped for the phrase too.
        #expect(phone.hardener.standing(of: phone.device)?.epoch == PinEpoch.first.next.next)
    }

    @Test("If a phrase is removed during a promotion, the record says that the key must be changed")
    func phraseRemovedAtPromotion() async throws {
        let phone = try await HardenedPhone()
        let other = try await phone.vault().unlock(TestPin.right)
        let steps = Steps()
        let vault = Vault.forTests(
            phone.store, clock: phone.clock, biometrics: phone.keyring,
            hardener: SteppedHardener(base: phone.hardener.client(), steps: steps))
        // Evaluate, prove, open, evaluate, promote.
        steps.interrupt(at: 4) { try? await other.removeRecovery() }
        try await vault.changePin(TestPin.right, to: TestPin.new)
        #expect(try await phone.store.json()["sealed", "slots", "recovery"] == nil)
        #expect(try await phone.store.json()["sealed", "content", "rekey_due"] == .bool(true))
        try await phone.vault().unlock(TestPin.new)
        #expect(try await phone.store.json()["sealed", "content", "rekey_due"] == nil)
    }

    @Test("A hardener that has lost the record of a pending enrolment accepts the vault at the next unlock")
    func lostOverEnrolment() async throws {
        let phone = try await HardenedPhone.pending(.enrolment, isPromoted: false)
        let open = try await phone.vault(in: phone.store, MemoryPinHardener()).unlock(TestPin.right)
        #expect(open.rekeyFailure == nil)
        #expect(try await phone.vault().protection()?.hardener != nil)
    }

    @Test("A hardener that has lost a pending enrolment, and demands a code, does not prevent a local change")
    func lostUnderLocalChange() async throws {
        let phone = try await HardenedPhone.pending(.enrolment, isPromoted: false)
        // Standing, open, evaluate, standing, promote: of the epoch after it.
        phone.hardener.fail(at: 4, .request)
        try await phone.vault().unlock(TestPin.right)
        let other = MemoryPinHardener()
        let client = other.client()
        let binding = try #require(try await phone.vault().unlock(TestPin.right).deviceBinding())
        let device = HardenedDevice(binding)
        let opener = try await client.opener(for: binding, password: SecretBytes(copying: [1]), code: nil)
        let epoch = try await client.open(device, by: opener)
        let guess = try await client.harden(SecretBytes(copying: [1]), for: epoch, in: nil).guess
        _ = try await client.promote(epoch, guess: guess, knowledgeKey: .random(), by: opener)
        let vault = phone.vault(in: phone.store, other)
        try await vault.changePin(TestPin.right, to: TestPin.new)
        let open = try await vault.unlock(TestPin.new)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        #expect(open.rekeyFailure == .hardener(.codeNeeded))
    }

    @Test("A hardener that has lost a pending change does not prevent a recovery")
    func lostOverChange() async throws {
        let phone = try await HardenedPhone.pending(.change, isPromoted: false)
        let vault = phone.vault(in: phone.store, MemoryPinHardener())
        try await vault.recover(TestPhrase.right, newPin: TestPin.newest, code: .random())
        let open = try await vault.unlock(TestPin.newest)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
    }
}
