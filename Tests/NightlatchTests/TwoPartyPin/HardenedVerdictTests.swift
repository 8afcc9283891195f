import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("The verdict on a two-party PIN")
struct HardenedVerdictTests {
    /// The vault as a process of its own has it, which the test can interrupt at the steps of its hardener.
    private func vault(of phone: HardenedPhone, _ steps: Steps) -> Vault {
        .forTests(
            phone.store, clock: phone.clock, biometrics: phone.keyring,
            hardener: SteppedHardener(base: phone.hardener.client(), steps: steps))
    }

    @Test("B1: the right PIN costs no attempt where the knowledge key was tampered with, and its guess is noted")
    func corruptKnowledgeKey() async throws {
        let phone = try await HardenedPhone()
        await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
        let image = try await phone.image(changing: "sealed", "slots", "pin", "hardened", "knowledge_key")
        for guesses in 2...5 {
            await #expect(throws: UnlockError.record(.corrupt)) {
                try await phone.vault(in: image, phone.hardener).unlock(TestPin.right)
            }
            #expect(try await image.failures() == 0)
            guard case .array(let answered) = try await image.json()["guesses", "answered"] else {
                Issue.record("no guess was noted")
                return
            }
            #expect(answered.count == guesses)
        }
    }

    @Test("B1: the right PIN costs no attempt where the change that was promoted unheard was tampered with")
    func corruptChange() async throws {
        let phone = try await HardenedPhone.pending(.change, isPromoted: true)
        let image = try await phone.image(changing: "change", "predecessor")
        let vault = phone.vault(in: image, phone.hardener)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        #expect(try await image.failures() == 1)
        for _ in 0..<3 {
            await #expect(throws: UnlockError.record(.corrupt)) {
                try await phone.vault(in: image, phone.hardener).unlock(TestPin.new)
            }
            #expect(try await image.failures() == 0)
        }
    }

    @Test("B1: the last wrong guess shuts the PIN and removes nothing: the right guess of another process opens")
    func lastGuessBesideRightOne() async throws {
        let phone = try await HardenedPhone(limit: 2)
        let steps = Steps()
        let vault = vault(of: phone, steps)
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

    @Test(
        "B1: a right PIN whose window another process has ended meanwhile makes nobody's guesses somebody else's",
        .timeLimit(.minutes(1)))
    func windowEndedMeanwhile() async throws {
        let phone = try await HardenedPhone()
        await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
        let (isTried, isAnswered, isProved) = (Signal(), Signal(), Signal())
        let slowStore = RecordingStore(phone.store)
        // Reads, charges, and reads again once the guess is answered.
        slowStore.interrupt(at: 2) {
            isAnswered.give()
            await isProved.wait()
        }
        let slow = Vault.forTests(slowStore, clock: phone.clock, hardener: phone.hardener.client())
        async let late = {
            await isTried.wait(); return try await slow.unlock(TestPin.right)
        }()
        let steps = Steps()
        // Evaluates, proves.
        steps.interrupt(at: 1) {
            isTried.give()
            await isAnswered.wait()
        }
        let open = try await vault(of: phone, steps).unlock(TestPin.right)
        isProved.give()
        #expect(open.foreignGuesses == nil)
        #expect(try await late.foreignGuesses == nil)
        #expect(try await phone.vault().unlock(TestPin.right).foreignGuesses == nil)
        #expect(phone.hardener.standing(of: phone.device)?.epoch == .first)
    }

    @Test("B1: after the last wrong guess a process still has the right one proved whose answer it has lost")
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

    @Test("B1: after the last wrong guess another wrong one ends the PIN, for a process that has lost an answer too")
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

    @Test("B1: an answer that a process has lost in an earlier window is no reason to send a guess after the last one")
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

    @Test("B1: after the last wrong guess no other is sent while one may be proved, and a new PIN can be set")
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
        // Or ten minutes pass: then the keys are gone, and the slot with them.
        later.advance(by: .seconds(601))
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
            try await phone.vault(in: image, later).unlock(TestPin.right)
        }
        #expect(try await !image.hasPinSlot())
    }

    @Test("B1: an epoch that another process has changed meanwhile is no reason to refuse the PIN")
    func epochChangedMeanwhile() async throws {
        let phone = try await HardenedPhone()
        let thief = phone.vault(in: try await phone.image(), phone.hardener)
        await #expect(throws: UnlockError.self) { try await thief.unlock(TestPin.wrong) }
        let steps = Steps()
        steps.interrupt(at: 0) { _ = try? await phone.vault().unlock(TestPin.right) }
        let open = try await vault(of: phone, steps).unlock(TestPin.right)
        #expect(phone.hardener.standing(of: phone.device)?.epoch == PinEpoch.first.next)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
    }

    @Test("B1: an attempt that tested nothing takes back no failure of another process's")
    func othersFailure() async throws {
        let phone = try await HardenedPhone()
        let steps = Steps()
        steps.interrupt(at: 0) {
            _ = try? await phone.vault().unlock(TestPin.right)
            _ = try? await phone.vault().unlock(TestPin.wrong)
            phone.hardener.fail(at: 0, .request)
        }
        await #expect(throws: UnlockError.self) { try await vault(of: phone, steps).unlock(TestPin.right) }
        #expect(try await phone.store.failures() == 1)
    }
}

extension HardenedPhone {
    /// A copy of the record in which one byte of the box at `path` is another.
    fileprivate func image(changing path: String...) async throws -> MemoryStore {
        let image = try await image()
        var tree = try await image.json()
        let box = try #require(tree[path[...]]?.text)
        let first = box.hasPrefix("A") ? "B" : "A"
        tree[path[...]] = .string(first + box.dropFirst())
        image.plant(StoredRecord(revision: try #require(try await image.read()).revision, bytes: tree.bytes))
        return image
    }
}
