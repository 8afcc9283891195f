import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("A vault with its PIN in a chip")
struct ChipVaultTests {
    private func refusal(_ vault: Vault, _ pin: String) async throws -> PinRefusal? {
        do {
            try await vault.unlock(pin)
            return nil
        } catch UnlockError.refused(let refusal) {
            return refusal
        }
    }

    @Test("A vault has the chip's part from its first write, and no relying party is involved")
    func create() async throws {
        let phone = ChipPhone()
        let store = RecordingStore(phone.store)
        let vault = Vault.forTests(store, clock: phone.clock, hardener: phone.hardener)
        let made = try await vault.create(TestPin.right)
        #expect(await made.pinTier == .chip)
        #expect(await made.userVerification == .pin)
        try await made.set("seed", named: "wallet")
        let open = try await vault.unlock(TestPin.right)
        #expect(await open.pinTier == .chip)
        #expect(await open.userVerification == .pin)
        #expect(open.foreignGuesses == nil)
        #expect(try await open.text(named: "wallet") == "seed")
        for record in store.written {
            #expect(String(decoding: record.bytes, as: UTF8.self).contains("\"hardened\""))
        }
        let protection = try await vault.protection()
        #expect(protection?.hardener == phone.hardener.ownDevice)
        #expect(protection?.hardener?.account == nil)
        await #expect(throws: CreateVaultError.exists) { try await vault.create(TestPin.new) }
        await #expect(throws: UnlockError.vault(.noHardener)) { try await Vault.forTests(store).unlock(TestPin.right) }
    }

    @Test("If the chip refuses its part, no vault is created, not even one that the PIN alone opens")
    func refused() async throws {
        let phone = ChipPhone()
        for error in [PinHardenerError.chip(.uncounted(reason: "no password")), .chip(.absent(reason: "no chip"))] {
            phone.chip.state.withLock { $0.failure = error }
            await #expect(throws: CreateVaultError.vault(.hardener(error))) {
                try await phone.vault().create(TestPin.right)
            }
            #expect(try await phone.store.read() == nil)
        }
        phone.chip.state.withLock { $0.failure = nil }
        try await phone.vault().create(TestPin.right)
    }

    @Test("If many callers create the vault at the same time, one succeeds, and the vault opens")
    func race() async throws {
        for _ in 0..<20 {
            let phone = ChipPhone()
            let pins = ["482915", "605837", "948276", "573018"]
            let made = await withTaskGroup { group in
                for pin in pins {
                    group.addTask { () -> String? in
                        do {
                            try await phone.vault().create(pin)
                            return pin
                        } catch {
                            #expect(error as? CreateVaultError == .exists)
                            return nil
                        }
                    }
                }
                return await group.reduce(into: [String]()) { made, pin in if let pin { made.append(pin) } }
            }
            #expect(made.count == 1)
            if let pin = made.first { try await phone.vault().unlock(pin) }
        }
    }

    @Test("The chip and the vault count a wrong PIN, and the right one resets only the vault's count")
    func wrong() async throws {
        let phone = try await ChipPhone.made()
        for (tries, count) in [(9, 1), (8, 2)] {
            #expect(try await refusal(phone.vault(), TestPin.wrong) == .wrong(triesLeft: tries, wait: nil))
            #expect(phone.chip.state.withLock { $0.wrongCount } == count)
        }
        try await phone.vault().unlock(TestPin.right)
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
        #expect(phone.chip.state.withLock { $0.wrongCount } == 2)
    }

    @Test("The PIN that locks the chip is wrong and has a wait; attempts that the chip does not test are not charged")
    func lockout() async throws {
        let phone = try await ChipPhone.made()
        phone.chip.state.withLock { $0.limit = 1 }
        #expect(
            try await refusal(phone.vault(), TestPin.wrong) == .wrong(triesLeft: 9, wait: .seconds(1000)))
        for pin in [TestPin.right, TestPin.wrong] {
            #expect(try await refusal(phone.vault(), pin) == .waiting(.seconds(1000), triesLeft: 9))
        }
        phone.chip.state.withLock { $0.lockedFor = nil }
        await #expect(throws: UnlockError.vault(.hardener(.lockedOut(wait: nil)))) {
            try await phone.vault().unlock(TestPin.right)
        }
        #expect(try await phone.vault().state() == .ready(triesLeft: 9))
        phone.chip.state.withLock { $0.wrongCount = 0 }
        let open = try await phone.vault().unlock(TestPin.right)
        #expect(try await open.text(named: "wallet") == "seed")
    }

    @Test("The vault counts every wrong PIN, even if each one locks the chip, up to the policy's limit")
    func end() async throws {
        let phone = try await ChipPhone.made()
        for tries in stride(from: 9, through: 0, by: -1) {
            phone.chip.state.withLock { state in
                state.wrongCount = 0
                state.limit = 1
                state.lockedFor = .milliseconds(1)
            }
            let refusal = try await refusal(phone.vault(), TestPin.wrong)
            if tries > 0 {
                guard case .wrong(triesLeft: tries, wait: .some) = refusal else {
                    Issue.record("\(String(describing: refusal)) with \(tries) tries left")
                    return
                }
            } else {
                #expect(refusal == .blocked(.newCredentials))
            }
            phone.clock.advance(by: .seconds(3600))
        }
        let open = try await phone.vault().unlockWithBiometrics(reason: "reason")
        // A newly sealed key must be opened once as proof, and a locked chip opens nothing.
        await #expect(throws: SetPinError.rekey(.hardener(.lockedOut(wait: .milliseconds(1))))) {
            try await open.setPin(TestPin.new)
        }
        phone.chip.state.withLock { state in (state.wrongCount, state.limit) = (0, 5) }
        // A chip requires no enrolment code.
        try await open.setPin(TestPin.new)
        let again = try await phone.vault().unlock(TestPin.new)
        #expect(await again.pinTier == .chip)
        #expect(try await again.text(named: "wallet") == "seed")
    }

    @Test("After a change of PIN the old one opens nothing, not even a copy of the vault's record from before")
    func change() async throws {
        let phone = try await ChipPhone.made()
        let image = try await phone.image()
        let open = try await phone.vault().changePin(TestPin.right, to: TestPin.new)
        #expect(await open.pinTier == .chip)
        #expect(try await refusal(phone.vault(), TestPin.right) == .wrong(triesLeft: 9, wait: nil))
        try await phone.vault().unlock(TestPin.new)
        let old = Vault.forTests(image.store, hardener: phone.hardener)
        for pin in [TestPin.right, TestPin.new] {
            await #expect {
                try await old.unlock(pin)
            } throws: { error in
                let hardener = (error as? UnlockError)?.cause?.cause as? PinHardenerError
                guard case .epochPassed = hardener else { return false }
                return true
            }
        }
    }

    @Test("A copy of both records opens at no other chip, and the vault's record alone nowhere; nothing is charged")
    func otherChip() async throws {
        let phone = try await ChipPhone.made()
        let image = try await phone.image()
        let elsewhere = ChipPinHardener(name: "vault", chip: MemoryPinChip(), store: image.records)
        let vault = Vault.forTests(image.store, hardener: elsewhere)
        for pin in [TestPin.right, TestPin.wrong] {
            await #expect(throws: UnlockError.vault(.hardener(.chip(.otherChip)))) { try await vault.unlock(pin) }
        }
        try await image.hardener.remove()
        await #expect {
            try await image.vault().unlock(TestPin.right)
        } throws: { error in
            let hardener = (error as? UnlockError)?.cause?.cause as? PinHardenerError
            guard case .epochPassed = hardener else { return false }
            return true
        }
        #expect(try await vault.state() == .ready(triesLeft: 10))
        // The slot still exists: the lost record may be restored.
        #expect(try await vault.slots().contains(.pin))
    }

    @Test("A vault that the PIN alone opens moves to the chip at the next unlock, without a binding")
    func migration() async throws {
        let phone = try await ChipPhone.made(inChip: false)
        let open = try await phone.vault().unlock(TestPin.right)
        #expect(await open.pinTier == .chip)
        #expect(try await open.text(named: "wallet") == "seed")
        await #expect(throws: UnlockError.vault(.noHardener)) {
            try await Vault.forTests(phone.store, clock: phone.clock).unlock(TestPin.right)
        }
        try await phone.vault().unlock(TestPin.right)
    }

    @Test("A chip error while a vault moves to it leaves the vault as it is, and open")
    func failedMigration() async throws {
        let phone = try await ChipPhone.made(inChip: false)
        phone.chip.state.withLock { $0.failure = .chip(.refused(reason: "not allowed")) }
        let open = try await phone.vault().unlock(TestPin.right)
        #expect(await open.pinTier == .local)
        try await Vault.forTests(phone.store, clock: phone.clock).unlock(TestPin.right)
    }

    @Test("A chip is always reachable, so no local tier is made beside it")
    func localTier() async throws {
        let phone = try await ChipPhone.made()
        let before = try await phone.store.read()?.revision
        try await phone.vault(offlinePin: .local).unlock(TestPin.right)
        #expect(try await phone.vault().protection()?.hasLocalTier == false)
        // Charge and verdict; nothing was sealed again.
        #expect(try await phone.store.read()?.revision == before.map { $0 + 2 })
        phone.chip.state.withLock { $0.failure = .chip(.unavailable(reason: "busy")) }
        await #expect(throws: UnlockError.vault(.hardener(.chip(.unavailable(reason: "busy"))))) {
            try await phone.vault(offlinePin: .local).unlock(TestPin.right)
        }
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
    }

    @Test("A vault that uses a relying party does not open with a chip, or the reverse")
    func elsewhere() async throws {
        let bound = try await HardenedPhone()
        let chip = ChipPhone()
        let wrongWay = Vault.forTests(bound.store, clock: bound.clock, hardener: chip.hardener)
        await #expect {
            try await wrongWay.unlock(TestPin.right)
        } throws: { error in
            let hardener = (error as? UnlockError)?.cause?.cause as? PinHardenerError
            guard case .elsewhere(let device) = hardener else { return false }
            return device.account != nil
        }
        try await bound.vault().unlock(TestPin.right)
    }

    @Test("Guesses of this device do not accumulate in the record")
    func recordSize() async throws {
        let phone = try await ChipPhone.made()
        try await phone.vault().unlock(TestPin.right)
        let size = try #require(try await phone.store.read()).bytes.count
        for _ in 0..<20 { try await phone.vault().unlock(TestPin.right) }
        #expect(try #require(try await phone.store.read()).bytes.count < size + 16)
    }
}
