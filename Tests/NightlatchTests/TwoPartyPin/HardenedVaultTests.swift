import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("A vault with a two-party PIN")
struct HardenedVaultTests {
    @Test("The next unlock moves a bound vault to the hardener, under the same PIN and with the same secrets")
    func migration() async throws {
        let phone = try await HardenedPhone(isEnrolled: false)
        let open = try await phone.vault().unlock(TestPin.right)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        #expect(phone.hardener.standing(of: phone.device)?.epoch == PinEpoch.first)
        let again = try await phone.vault().unlock(TestPin.right)
        #expect(try await HardenedPhone.secrets(in: again) == HardenedPhone.secrets)
        #expect(phone.hardener.standing(of: phone.device)?.triesLeft == 10)
        await #expect(throws: UnlockError.vault(.noHardener)) {
            try await Vault.forTests(phone.store, clock: phone.clock).unlock(TestPin.right)
        }
    }

    @Test("A wrong PIN is charged at the hardener, and the right one restores all attempts")
    func wrong() async throws {
        let phone = try await HardenedPhone()
        for tries in [9, 8] {
            await #expect(throws: UnlockError.refused(.wrong(triesLeft: tries, wait: nil))) {
                try await phone.vault().unlock(TestPin.wrong)
            }
            #expect(phone.hardener.standing(of: phone.device)?.triesLeft == tries)
        }
        let open = try await phone.vault().unlock(TestPin.right)
        #expect(open.foreignGuesses == nil)
        #expect(phone.hardener.standing(of: phone.device)?.triesLeft == 10)
        #expect(phone.hardener.standing(of: phone.device)?.epoch == .first)
    }

    @Test("Without the hardener no PIN is right or wrong, and the device charges nothing")
    func offline() async throws {
        let phone = try await HardenedPhone()
        for pin in [TestPin.right, TestPin.wrong] {
            phone.hardener.fail(at: 0, .request)
            await #expect(throws: UnlockError.vault(.hardener(.unavailable(.unreachable(reason: "lost by the test")))))
            {
                try await phone.vault().unlock(pin)
            }
        }
        phone.hardener.repair()
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
        try await phone.vault().unlock(TestPin.right)
    }

    @Test("After a lost answer, the same process asks again without a charge, and another process is charged one guess")
    func lostAnswer() async throws {
        let phone = try await HardenedPhone()
        let process = phone.vault()
        phone.hardener.fail(at: 0, .answer)
        await #expect(throws: UnlockError.self) { try await process.unlock(TestPin.right) }
        phone.hardener.repair()
        let charged = phone.hardener.chargedCount
        try await process.unlock(TestPin.right)
        #expect(phone.hardener.chargedCount == charged)
        phone.hardener.fail(at: 0, .answer)
        await #expect(throws: UnlockError.self) { try await process.unlock(TestPin.right) }
        phone.hardener.repair()
        let open = try await phone.vault().unlock(TestPin.right)
        // The guess of the process that crashed, the one that opened, and one to change the epoch. The first could be
        // anyone's.
        #expect(phone.hardener.chargedCount == charged + 3)
        #expect(open.foreignGuesses?.surelyForeign == 0)
    }

    @Test("A change of PIN opens a new epoch, and the old PIN opens nothing more, not even with the old image")
    func change() async throws {
        let phone = try await HardenedPhone()
        let image = try await phone.image()
        let open = try await phone.vault().changePin(TestPin.right, to: TestPin.new)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        #expect(phone.hardener.standing(of: phone.device)?.epoch == PinEpoch.first.next)
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await phone.vault().unlock(TestPin.right)
        }
        try await phone.vault().unlock(TestPin.new)
        await #expect {
            try await phone.vault(in: image, phone.hardener).unlock(TestPin.right)
        } throws: { error in
            isEpochPassed(error)
        }
    }

    @Test("For a hundred days, guesses with a copied image are reported, and the owner's first unlock makes it useless")
    func thief() async throws {
        let phone = try await HardenedPhone()
        let stolen = try await phone.image()
        var deadSince: Int?
        for day in 1...100 {
            for guess in 0..<9 {
                // The device's count does not stop an attacker who restores the image.
                let image = MemoryStore()
                if let record = try await stolen.read() { try await image.replace(record, expecting: nil) }
                do {
                    try await phone.vault(in: image, phone.hardener).unlock("73916\(guess)")
                    Issue.record("a guess opened the vault")
                } catch  where isEpochPassed(error) {
                    deadSince = deadSince ?? day
                } catch UnlockError.refused {}
                phone.clock.advance(by: .seconds(86_400))
            }
            let open = try await phone.vault().unlock(TestPin.right)
            #expect(open.foreignGuesses?.surelyForeign == (day == 1 ? 9 : nil))
            #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        }
        #expect(deadSince == 2)
    }

    @Test("The guess after the last destroys the PIN permanently; biometrics and a code set a new one")
    func destruction() async throws {
        let phone = try await HardenedPhone(limit: 5)
        for tries in [4, 3, 2, 1] {
            await #expect {
                try await phone.vault().unlock(TestPin.wrong)
            } throws: { error in
                guard case .refused(.wrong(triesLeft: tries, _)) = error as? UnlockError else { return false }
                return true
            }
            phone.clock.advance(by: .seconds(3600))
        }
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
            try await phone.vault().unlock(TestPin.wrong)
        }
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
            try await phone.vault().unlock(TestPin.right)
        }
        let open = try await phone.vault().unlockWithBiometrics(reason: "reason")
        await #expect(throws: SetPinError.rekey(.hardener(.codeNeeded))) {
            try await open.setPin(Pin(TestPin.new), after: .checkedByApp())
        }
        try await open.setPin(Pin(TestPin.new), after: .checkedByApp(), code: .random())
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        let again = try await phone.vault().unlock(TestPin.new)
        #expect(try await HardenedPhone.secrets(in: again) == HardenedPhone.secrets)
    }

    @Test("A vault that was created for a two-party PIN never has a record that its PIN opens alone")
    func firstWrite() async throws {
        let (store, hardener, party) = (RecordingStore(MemoryStore()), MemoryPinHardener(), ScriptedRelyingParty())
        let keys = SoftwareDeviceKeys.inMemory()
        let open = try await Vault.forTests(store, hardener: hardener.client()).createForTwoPartyPin()
        await #expect(throws: SetPinError.rekey(.noHardener)) { try await open.setTwoPartyPin(Pin(TestPin.right)) }
        let binding = try await DeviceBinder(relyingParty: party, keys: keys).bind(
            open, code: await party.issueCode(), deviceName: try #require(DeviceName(rawValue: "Phone")))
        try await open.set("seed", named: "wallet")
        try await open.setTwoPartyPin(Pin(TestPin.right))
        #expect(await open.pinTier == .hardened)
        #expect(hardener.standing(of: binding.device)?.epoch == .first)
        await #expect(throws: SetPinError.hasPin) { try await open.setTwoPartyPin(Pin(TestPin.new)) }
        await open.lock()

        var localCount = 0
        for record in store.written {
            let image = MemoryStore()
            try await image.replace(record, expecting: nil)
            if try await Vault.forTests(image).protection()?.hardener == nil { localCount += 1 }
            // An attacker with a deleted copy tries the PIN without the hardener.
            await #expect(throws: UnlockError.self) { try await Vault.forTests(image).unlock(TestPin.right) }
        }
        #expect(localCount > 1, "The vault was on disk before it hung on the hardener.")
        let image = MemoryStore()
        try await image.replace(try #require(store.written.last), expecting: nil)
        let again = try await Vault.forTests(image, hardener: hardener.client()).unlock(TestPin.right)
        #expect(await again.pinTier == .hardened)
        #expect(try await again.texts()["wallet"] == "seed")
    }

    @Test("An answer that the keys are destroyed only blocks the PIN, which opens again once its epoch is current")
    func destructionIsNotBelievedForEver() async throws {
        for offline in [OfflinePinPolicy.refused, .local] {
            let phone = try await HardenedPhone(offlinePin: offline)
            let slot = try await phone.store.json()["sealed", "slots", "pin", "box"]
            phone.hardener.answer(.destroyed)
            for _ in 0..<12 {
                await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
                    try await phone.vault().unlock(TestPin.right)
                }
                #expect(try await phone.vault().state() == .blocked(.newCredentials))
                #expect(try await phone.store.json()["sealed", "slots", "pin", "box"] == slot)
            }
            #expect(try await phone.store.failures() == 0)
            await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
                try await phone.offlineVault().unlock(TestPin.right)
            }
            phone.hardener.answer(nil)
            let open = try await phone.vault().unlock(TestPin.right)
            #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
            #expect(try await phone.vault().state() == .ready(triesLeft: 10))
        }
    }

    @Test("A vault that could not be moved to its hardener, or sealed again, is open and reports why")
    func rekeyFailure() async throws {
        let nobody = PinHardenerError.unavailable(.unreachable(reason: "lost by the test"))
        let local = try await HardenedPhone(isEnrolled: false)
        local.hardener.fail(at: 0, .request)
        #expect(try await local.vault().unlock(TestPin.right).rekeyFailure == .hardener(nobody))
        local.hardener.repair()
        for error in [PinHardenerError.notGenuine, .codeNeeded, .destroyed] {
            local.hardener.answer(error)
            #expect(try await local.vault().unlock(TestPin.right).rekeyFailure == .hardener(error))
        }
        local.hardener.answer(nil)
        #expect(try await local.vault().unlock(TestPin.right).rekeyFailure == nil)
        #expect(try await local.vault().protection()?.hardener != nil)

        let phone = try await HardenedPhone()
        let thief = phone.vault(in: try await phone.image(), phone.hardener)
        await #expect(throws: UnlockError.self) { try await thief.unlock(TestPin.wrong) }
        // Evaluate; no epoch can be opened.
        phone.hardener.fail(at: 1, .request)
        let open = try await phone.vault().unlock(TestPin.right)
        #expect(open.rekeyFailure == .hardener(nobody))
        #expect(open.foreignGuesses?.surelyForeign == 1)
    }

    @Test(
        "A move with a new PIN succeeds after any error of the hardener, and the old PIN opens nothing more",
        arguments: MemoryPinHardener.Fault.allCases)
    func moveWithNewPin(fault: MemoryPinHardener.Fault) async throws {
        for point in 0..<20 {
            let phone = try await HardenedPhone(isEnrolled: false)
            phone.hardener.fail(at: point, fault)
            func move() async throws -> OpenVault {
                try await phone.vault().moveToTwoPartyPin(from: Pin(TestPin.right), to: Pin(TestPin.new))
            }
            var isWhole = true
            do {
                _ = try await move()
            } catch {
                isWhole = false
            }
            phone.hardener.repair()
            if !isWhole { #expect(try await HardenedPhone.secrets(in: move()) == HardenedPhone.secrets) }
            await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
                try await phone.vault().unlock(TestPin.right)
            }
            let open = try await phone.vault().unlock(TestPin.new)
            #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
            #expect(await open.pinTier == .hardened)
            if isWhole { return #expect(point > 2) }
        }
        Issue.record("the vault was never moved")
    }

    @Test("Moving refuses a new PIN that the policy forbids, and keeps an old one that it would forbid")
    func moveByPolicy() async throws {
        let phone = try await HardenedPhone(isEnrolled: false)
        await #expect {
            try await phone.vault().moveToTwoPartyPin(from: Pin(TestPin.right), to: Pin("123456"))
        } throws: { error in
            guard case .newPinRefused = error as? ChangePinError else { return false }
            return true
        }
        #expect(try await phone.vault().protection()?.hardener == nil)
        _ = try await phone.vault().moveToTwoPartyPin(from: Pin(TestPin.right), to: Pin(TestPin.right))
        await (try phone.vault().unlock(TestPin.right)).lock()
    }

    @Test("Unlocking by biometrics changes no PIN and clears no count")
    func biometrics() async throws {
        let phone = try await HardenedPhone()
        await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
        _ = try await phone.vault().unlockWithBiometrics(reason: "reason")
        #expect(phone.hardener.standing(of: phone.device)?.triesLeft == 9)
    }

    @Test(
        "A write by another process during a change of the epoch is kept, even if the promotion's answer is lost",
        arguments: [false, true])
    func concurrentWrite(isAnswerLost: Bool) async throws {
        let phone = try await HardenedPhone()
        let other = try await phone.vault().unlockWithBiometrics(reason: "reason")
        // Evaluate, prove, open, evaluate, promote.
        phone.hardener.fail(at: 4, isAnswerLost ? .answer : .request)
        await #expect(throws: ChangePinError.self) { try await phone.vault().changePin(TestPin.right, to: TestPin.new) }
        try await other.set("new", named: "token")
        phone.hardener.repair()
        let pin = isAnswerLost ? TestPin.new : TestPin.right
        let open = try await phone.vault().unlock(pin)
        #expect(try await HardenedPhone.secrets(in: open) == ["wallet": "seed", "token": "new"])
        let recovered = try await phone.vault().recover(
            TestPhrase.right, newPin: TestPin.newest, code: .random())
        #expect(try await HardenedPhone.secrets(in: recovered) == ["wallet": "seed", "token": "new"])
        try await phone.vault().unlock(TestPin.newest)
    }
}

private func isEpochPassed(_ error: any Error) -> Bool {
    guard case .epochPassed = (error as? UnlockError)?.cause?.cause as? PinHardenerError else { return false }
    return true
}
