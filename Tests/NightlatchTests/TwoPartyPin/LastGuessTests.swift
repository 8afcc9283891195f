import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("The last guess of a two-party PIN")
struct LastGuessTests {
    @Test("The last wrong guess only blocks the PIN: the right guess of another process opens the vault")
    func lastGuessBesideRightOne() async throws {
        let phone = try await HardenedPhone(limit: 2)
        let steps = Steps()
        let vault = phone.vault(steps)
        // Evaluate, prove.
        steps.interrupt(at: 1) {
            let other = phone.vault()
            // No process can send that guess again: another guess would destroy the keys.
            for pin in [TestPin.wrong, TestPin.wrong, TestPin.right] {
                await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) { try await other.unlock(pin) }
            }
            let (state, ways) = (try? await other.state(), try? await other.slots())
            #expect(state == .blocked(.newCredentials) && ways?.contains(.pin) == false)
        }
        let open = try await vault.unlock(TestPin.right)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
    }

    @Test("After the last wrong guess a process can still prove its right guess whose answer was lost")
    func lastGuessAfterLostAnswer() async throws {
        let phone = try await HardenedPhone(limit: 2)
        let vault = phone.vault()
        phone.hardener.fail(at: 0, .answer)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.right) }
        phone.hardener.repair()
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 1, wait: nil))) {
            try await vault.unlock(TestPin.wrong)
        }
        // Thus the prompt asks again.
        #expect(try await vault.state() == .ready(triesLeft: 1))
        #expect(try await vault.slots().contains(.pin))
        #expect(try await phone.vault().state() == .blocked(.newCredentials))
        try await vault.unlock(TestPin.right)
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
    }

    @Test("After the last wrong guess another wrong one ends the PIN, also in a process with a lost answer")
    func guessAfterLastGuess() async throws {
        let phone = try await HardenedPhone(limit: 2)
        let vault = phone.vault()
        phone.hardener.fail(at: 0, .answer)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.right) }
        phone.hardener.repair()
        for refusal in [PinRefusal.wrong(triesLeft: 1, wait: nil), .blocked(.newCredentials)] {
            await #expect(throws: UnlockError.refused(refusal)) { try await vault.unlock(TestPin.wrong) }
        }
        #expect(try await vault.state() == .blocked(.newCredentials))
        #expect(try await !vault.slots().contains(.pin))
    }

    @Test("A lost answer from an earlier window does not allow a guess after the last one")
    func lostInEarlierWindow() async throws {
        let phone = try await HardenedPhone(limit: 2)
        let (early, late) = (phone.vault(), phone.vault())
        phone.hardener.fail(at: 0, .request)
        await #expect(throws: UnlockError.self) { try await early.unlock(TestPin.right) }
        phone.hardener.repair()
        try await late.unlock(TestPin.right)
        phone.hardener.fail(at: 0, .answer)
        await #expect(throws: UnlockError.self) { try await late.unlock(TestPin.right) }
        phone.hardener.repair()
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 1, wait: nil))) {
            try await late.unlock(TestPin.wrong)
        }
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) { try await early.unlock(TestPin.right) }
        #expect(try await early.state() == .blocked(.newCredentials))
        let open = try await late.unlock(TestPin.right)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
    }

    @Test("A copy of a used-up record sends no guess in a later window that is used up as well")
    func usedUpInLaterWindow() async throws {
        let phone = try await HardenedPhone(limit: 2)
        let vault = phone.vault()
        func useUpAfterLostAnswer() async throws {
            phone.hardener.fail(at: 0, .answer)
            await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.right) }
            phone.hardener.repair()
            await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        }
        try await useUpAfterLostAnswer()
        let image = try await phone.image()
        try await vault.unlock(TestPin.right)
        try await useUpAfterLostAnswer()
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
            try await phone.vault(in: image, phone.hardener).unlock(TestPin.wrong)
        }
        try await vault.unlock(TestPin.right)
    }

    @Test("A late answer to an earlier wrong guess does not reopen a PIN after the last guess")
    func lateAnswer() async throws {
        let phone = try await HardenedPhone(limit: 3)
        let slowStore = RecordingStore(phone.store)
        // Reads, charges, and reads again after the guess is answered.
        slowStore.interrupt(at: 2) {
            for _ in 0..<2 { await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) } }
        }
        let slow = Vault.forTests(slowStore, clock: phone.clock, hardener: phone.hardener.client())
        await #expect(throws: UnlockError.self) { try await slow.unlock(TestPin.newest) }
        #expect(try await phone.vault().state() == .blocked(.newCredentials))
    }

    @Test("After the last wrong guess no other is sent while one may still be proved, and a new PIN can be set")
    func nothingSentAfterLastGuess() async throws {
        let phone = try await HardenedPhone(limit: 2)
        for _ in 0..<2 { await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) } }
        let failures = try await phone.store.failures()
        for pin in [TestPin.right, TestPin.wrong] {
            await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
                try await phone.vault().unlock(pin)
            }
        }
        #expect(phone.hardener.standing(of: phone.device)?.epoch == .first)
        #expect(try await phone.store.failures() == failures)
        let image = try await phone.image()
        let open = try await phone.vault().unlockWithBiometrics(reason: "reason")
        let later = phone.hardener.copy()
        try await open.setPin(Pin(TestPin.new), after: .checkedByApp(), code: .random())
        try await phone.vault().unlock(TestPin.new)
        // Or ten minutes pass: then the keys are gone. The slot stays until a new PIN is set, and opens nothing.
        later.advance(by: .seconds(601))
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
            try await phone.vault(in: image, later).unlock(TestPin.right)
        }
        #expect(try await image.hasPinSlot())
        #expect(try await phone.vault(in: image, later).state() == .blocked(.newCredentials))
    }
}
