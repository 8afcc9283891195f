import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Verdict on a two-party PIN")
struct HardenedVerdictTests {
    @Test("If the knowledge key was changed, the right PIN is reported and charged as wrong")
    func corruptKnowledgeKey() async throws {
        let phone = try await HardenedPhone()
        await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
        let image = try await phone.image(changing: "sealed", "slots", "pin", "hardened", "knowledge_key")
        for guesses in 2...5 {
            let error = await #expect(throws: UnlockError.self) {
                try await phone.vault(in: image, phone.hardener).unlock(TestPin.right)
            }
            guard case .refused(.wrong(let triesLeft, _))? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(triesLeft == 10 - guesses)
            #expect(try await image.failures() == guesses)
            phone.clock.advance(by: .seconds(86_400))
            guard case .array(let answered) = try await image.json()["guesses", "answered"] else {
                Issue.record("no guess was noted")
                return
            }
            #expect(answered.count == guesses)
        }
    }

    @Test("If a promoted change without an answer was changed, its PIN is reported and charged as wrong")
    func corruptChange() async throws {
        let phone = try await HardenedPhone.pending(.change, isPromoted: true)
        let image = try await phone.image(changing: "change", "predecessor")
        let vault = phone.vault(in: image, phone.hardener)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        #expect(try await image.failures() == 1)
        for failures in 2...4 {
            let error = await #expect(throws: UnlockError.self) {
                try await phone.vault(in: image, phone.hardener).unlock(TestPin.new)
            }
            guard case .refused(.wrong)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await image.failures() == failures)
            phone.clock.advance(by: .seconds(86_400))
        }
    }

    @Test(
        "A right PIN whose window another process has ended at the same time reports no foreign guesses",
        .timeLimit(.minutes(10)))
    func windowEndedMeanwhile() async throws {
        let phone = try await HardenedPhone()
        await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
        let (isTried, isAnswered, isProved) = (Signal(), Signal(), Signal())
        let slowStore = RecordingStore(phone.store)
        // Reads, charges, and reads again after the guess is answered.
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
        let open = try await phone.vault(steps).unlock(TestPin.right)
        isProved.give()
        #expect(open.foreignGuesses == nil)
        #expect(try await late.foreignGuesses == nil)
        #expect(try await phone.vault().unlock(TestPin.right).foreignGuesses == nil)
        #expect(phone.hardener.standing(of: phone.device)?.epoch == .first)
    }

    @Test("A change of the epoch by another process at the same time does not refuse the PIN")
    func epochChangedMeanwhile() async throws {
        let phone = try await HardenedPhone()
        let thief = phone.vault(in: try await phone.image(), phone.hardener)
        await #expect(throws: UnlockError.self) { try await thief.unlock(TestPin.wrong) }
        let steps = Steps()
        steps.interrupt(at: 0) { _ = try? await phone.vault().unlock(TestPin.right) }
        let open = try await phone.vault(steps).unlock(TestPin.right)
        #expect(phone.hardener.standing(of: phone.device)?.epoch == PinEpoch.first.next)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
    }

    @Test(
        "A prompt asks again about a destroyed PIN, so a wrong answer of the relying party blocks nothing permanently"
    )
    func promptAsksAgain() async throws {
        let phone = try await HardenedPhone()
        phone.hardener.answer(.destroyed)
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
            try await phone.vault().unlock(TestPin.right)
        }
        #expect(try await phone.vault().stateForPrompt() == .blocked(.newCredentials), "it says so still")
        phone.hardener.answer(nil)
        phone.hardener.fail(at: 0, .request)
        #expect(try await phone.vault().stateForPrompt() == .blocked(.newCredentials), "it does not answer")
        phone.hardener.repair()
        #expect(try await phone.vault().state() == .blocked(.newCredentials), "this asks no one")
        #expect(phone.hardener.callCount == 0)
        let charged = phone.hardener.chargedCount
        #expect(try await phone.vault().stateForPrompt() == .ready(triesLeft: 10))
        #expect(phone.hardener.chargedCount == charged)

        let person = ScriptedPerson(entering: [.pin(TestPin.wrong), .pin(TestPin.right)])
        let result = try await phone.auth(person).unlock(reason: "reason")
        #expect(person.enterings.map(\.attempts.triesLeft) == [10, 9])
        let open = try #require(result.open)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
    }

    @Test("A permanently destroyed PIN stays blocked at the prompt, and no guess is sent for it")
    func promptStaysBlocked() async throws {
        let phone = try await HardenedPhone(limit: 2)
        for _ in 0..<2 { await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) } }
        for minutes in [0, 11] {
            phone.hardener.advance(by: .seconds(60 * minutes))
            let charged = phone.hardener.chargedCount
            #expect(try await phone.vault().stateForPrompt() == .blocked(.newCredentials))
            #expect(phone.hardener.chargedCount == charged)
        }
    }

    @Test("An attempt that tested nothing removes no charge of another process")
    func othersFailure() async throws {
        let phone = try await HardenedPhone()
        let steps = Steps()
        steps.interrupt(at: 0) {
            _ = try? await phone.vault().unlock(TestPin.right)
            _ = try? await phone.vault().unlock(TestPin.wrong)
            phone.hardener.fail(at: 0, .request)
        }
        await #expect(throws: UnlockError.self) { try await phone.vault(steps).unlock(TestPin.right) }
        #expect(try await phone.store.failures() == 1)
    }
}

extension HardenedPhone {
    /// The service that prompts the user. The profile was registered before its vault was stored there.
    fileprivate func auth(_ person: ScriptedPerson) async throws -> LocalAuthService {
        let registry = MemoryStore()
        let registration = Profiles(registry: registry, deviceKeys: nil) { _ in .forTests(MemoryStore()) }
        let outcome = try await registration.register(
            ProfileName(unchecked: "Alice"), prompt: ScriptedPerson(creating: [.pin(TestPin.new)]))
        guard case .registered(let profile, _) = outcome else { throw CancellationError() }
        return LocalAuthService(
            profile: profile.id, in: Profiles(registry: registry, deviceKeys: nil) { _ in vault() }, prompt: person)
    }

    /// A copy of the record in which one byte of the box at `path` is changed.
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
