import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("The last guess at a two-party PIN")
struct LastGuessTests {
    @Test("The last wrong guess shuts the PIN and removes nothing: the right guess of another process opens")
    func lastGuessBesideRightOne() async throws {
        let phone = try await HardenedPhone(limit: 2)
        let steps = Steps()
        let vault = phone.vault(steps)
        // Evaluate, prove.
        steps.interrupt(at: 1) {
            let other = phone.vault()
            // Nothing that it could send would be that guess again: it would destroy the keys.
            for pin in [TestPin.wrong, TestPin.wrong, TestPin.right] {
                await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) { try await other.unlock(pin) }
            }
            let (state, ways) = (try? await other.state(), try? await other.ways())
            #expect(state == .blocked(.newCredentials) && ways?.contains(.pin) == false)
        }
        let open = try await vault.unlock(TestPin.right)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
    }

    @Test("After the last wrong guess a process still has the right one proved whose answer it has lost")
    func lastGuessAfterLostAnswer() async throws {
        let phone = try await HardenedPhone(limit: 2)
        let vault = phone.vault()
        phone.hardener.fail(at: 0, .answer)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.right) }
        phone.hardener.repair()
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 1, wait: nil))) {
            try await vault.unlock(TestPin.wrong)
        }
        // So a service that asks a person goes on asking.
        #expect(try await vault.state() == .ready(triesLeft: 1))
        #expect(try await vault.ways().contains(.pin))
        #expect(try await phone.vault().state() == .blocked(.newCredentials))
        try await vault.unlock(TestPin.right)
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
    }

    @Test("After the last wrong guess another wrong one ends the PIN, for a process that has lost an answer too")
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
        #expect(try await !vault.ways().contains(.pin))
    }

    @Test("An answer that a process has lost in an earlier window is no reason to send a guess after the last one")
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

    @Test("A copy of a used-up record sends nothing into a later window that is used up as well")
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

    @Test("The answer to an earlier wrong guess that comes after that to the last one opens nothing again")
    func lateAnswer() async throws {
        let phone = try await HardenedPhone(limit: 3)
        let slowStore = RecordingStore(phone.store)
        // Reads, charges, and reads again once the guess is answered.
        slowStore.interrupt(at: 2) {
            for _ in 0..<2 { await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) } }
        }
        let slow = Vault.forTests(slowStore, clock: phone.clock, hardener: phone.hardener.client())
        await #expect(throws: UnlockError.self) { try await slow.unlock(TestPin.newest) }
        #expect(try await phone.vault().state() == .blocked(.newCredentials))
    }

    @Test("After the last wrong guess no other is sent while one may be proved, and a new PIN can be set")
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
