import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A change that the hardener may have promoted is the vault's, or will be: nothing may be written over it before the hardener has said
/// that it never will be.
@Suite("A change of PIN whose promotion was not answered")
struct PendingChangeTests {
    private static let nobody = PinHardenerError.unavailable(.unreachable(reason: "lost by the test"))

    @Test("A local vault whose enrolment was promoted unheard changes its PIN on the hardener, or not at all")
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

    @Test("What an unlock has to seal anew waits while the enrolment that was promoted unheard cannot be asked for")
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

    @Test("An open vault whose PIN has become another unheard changes nothing, and says that it is out of date")
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

    @Test("Keys that are destroyed before a promoted slot is put in place leave the local one")
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

    @Test("Recovery over a change that was promoted unheard takes it over, and needs the hardener to do so")
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
            // Without a code nothing is promoted, and the PIN that was promoted unheard is the vault's.
            await #expect(throws: RecoveryError.rekey(.hardener(.codeNeeded))) {
                try await phone.vault().recover(TestPhrase.right, newPin: TestPin.newest)
            }
            try await phone.vault().unlock(pending == .enrolment ? TestPin.right : TestPin.new)
        }
    }

    @Test("A wrong PIN on a change that was promoted unheard is the device's own, and nobody is told of others")
    func ownWrongGuess() async throws {
        let phone = try await HardenedPhone.pending(.change, isPromoted: true)
        await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
        for _ in 0..<2 {
            let open = try await phone.vault().unlock(TestPin.new)
            #expect(open.foreignGuesses == nil)
        }
        #expect(phone.hardener.standing(of: phone.device)?.epoch == PinEpoch.first.next)
    }

    @Test("Biometrics that recovery has ended stay so, whatever is written before its promotion is heard of")
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

    @Test("A phrase that is removed while a promotion is unheard opens nothing, and the key is changed")
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
        // Enrolled, changed, and sealed anew since the change on disk was wrapped for the phrase too.
        #expect(phone.hardener.standing(of: phone.device)?.epoch == PinEpoch.first.next.next)
    }

    @Test("A phrase that is removed while a promotion is under way leaves a mark that the key is to be changed")
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

    @Test("A hardener that has lost its record of a pending enrolment takes the vault at the next unlock")
    func lostOverEnrolment() async throws {
        let phone = try await HardenedPhone.pending(.enrolment, isPromoted: false)
        let open = try await phone.vault(in: phone.store, MemoryPinHardener()).unlock(TestPin.right)
        #expect(open.rekeyFailure == nil)
        #expect(try await phone.vault().protection()?.hardener != nil)
    }

    @Test(
        "A hardener that has lost its record of a pending enrolment, and now asks for a code, keeps nobody from a local change"
    )
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

    @Test("A hardener that has lost its record of a pending change keeps nobody from recovering")
    func lostOverChange() async throws {
        let phone = try await HardenedPhone.pending(.change, isPromoted: false)
        let vault = phone.vault(in: phone.store, MemoryPinHardener())
        try await vault.recover(TestPhrase.right, newPin: TestPin.newest, code: .random())
        let open = try await vault.unlock(TestPin.newest)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
    }
}
