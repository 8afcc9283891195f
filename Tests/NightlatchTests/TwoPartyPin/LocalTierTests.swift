import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Local tier of a two-party PIN")
struct LocalTierTests {
    private static let unreached = VaultError.hardener(.unavailable(.unreachable(reason: "lost by the test")))
    private static let nobody = UnlockError.vault(unreached)

    @Test("Without the hardener the same PIN opens the same secrets, and the vault knows the tier")
    func opens() async throws {
        let phone = try await HardenedPhone(offlinePin: .local)
        let online = try await phone.vault().unlock(TestPin.right)
        #expect(await online.pinTier == .hardened)
        let charged = phone.hardener.chargedCount
        phone.hardener.fail(at: 0, .request)
        let offline = try await phone.vault().unlock(TestPin.right)
        // The hardener was asked once, and no other call was tried.
        #expect(phone.hardener.callCount == 1)
        #expect(await offline.pinTier == .local)
        #expect(try await HardenedPhone.secrets(in: offline) == HardenedPhone.secrets)
        try await offline.set("new", named: "token")
        phone.hardener.repair()
        let again = try await phone.vault().unlock(TestPin.right)
        #expect(await again.pinTier == .hardened)
        #expect(try await HardenedPhone.secrets(in: again)["token"] == "new")
        #expect(phone.hardener.chargedCount == charged + 1)
        let other = try await phone.vault().unlockWithBiometrics(reason: "reason")
        #expect(await other.pinTier == nil)
    }

    @Test("Without a request by the app there is no local tier")
    func offByDefault() async throws {
        let phone = try await HardenedPhone()
        #expect(try await phone.vault().protection()?.hasLocalTier == false)
        var curious = phone
        curious.offlinePin = .local
        await #expect(throws: Self.nobody) { try await curious.offlineVault().unlock(TestPin.right) }
    }

    @Test("A vault that moves to the hardener gets the local tier, and loses the slot that the PIN alone opened")
    func migration() async throws {
        let phone = try await HardenedPhone(isEnrolled: false, offlinePin: .local)
        let open = try await phone.vault().unlock(TestPin.right)
        #expect(await open.pinTier == .hardened)
        let protection = try await phone.vault().protection()
        #expect(protection?.hardener != nil && protection?.hasLocalTier == true)
        #expect(await (try phone.offlineVault().unlock(TestPin.right)).pinTier == .local)
    }

    @Test(
        "After any answer of the hardener the local tier opens nothing, and no attempt is charged",
        arguments: [
            .unavailable(.unintelligible(status: 200)),
            .unavailable(.refused(refusal(.rateLimited, status: 429))), .notGenuine, .cancelled,
            // A version that does not know the code of a wait sees this.
            .unavailable(.refused(refusal(ProblemCode(rawValue: "code_of_a_later_version"), status: 429))),
            .refused(refusal(.deviceRevoked, status: 403)), .key(DeviceKeyError(.unavailable)),
        ] as [PinHardenerError])
    func reached(_ error: PinHardenerError) async throws {
        let phone = try await HardenedPhone(offlinePin: .local)
        phone.hardener.answer(error)
        for pin in [TestPin.right, TestPin.wrong] {
            await #expect(throws: UnlockError.vault(.hardener(error))) { try await phone.vault().unlock(pin) }
        }
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
        #expect(try await phone.vault().protection()?.hasLocalTier == !error.endsTier)
    }

    @Test("During a wait of the hardener no PIN is tried, the lower number of attempts is shown, and nothing is lost")
    func waits() async throws {
        let phone = try await HardenedPhone(offlinePin: .local)
        for (hardeners, shown) in [(nil, 10), (4, 4), (30, 10)] {
            phone.hardener.answer(.lockedOut(wait: .seconds(60), triesLeft: hardeners))
            for pin in [TestPin.wrong, TestPin.right] {
                await #expect(throws: UnlockError.refused(.waiting(.seconds(60), triesLeft: shown))) {
                    try await phone.vault().unlock(pin)
                }
            }
        }
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
        #expect(try await phone.vault().protection()?.hasLocalTier == true)
        phone.hardener.answer(nil)
        #expect(await (try phone.vault().unlock(TestPin.right)).pinTier == .hardened)
    }

    @Test("A hardener that refuses the device ends the local tier, and the next hardened unlock makes another")
    func refused() async throws {
        let phone = try await HardenedPhone(offlinePin: .local)
        phone.hardener.answer(.refused(refusal(.deviceBlocked, status: 403)))
        await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.right) }
        await #expect(throws: Self.nobody) { try await phone.offlineVault().unlock(TestPin.right) }
        phone.hardener.answer(nil)
        try await phone.vault().unlock(TestPin.right)
        #expect(await (try phone.offlineVault().unlock(TestPin.right)).pinTier == .local)
    }

    @Test("A hardener with destroyed keys ends the local tier together with the PIN")
    func destroyed() async throws {
        let phone = try await HardenedPhone(limit: 3, offlinePin: .local)
        for _ in 0..<3 { await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) } }
        phone.clock.advance(by: .seconds(3600))
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
            try await phone.offlineVault().unlock(TestPin.right)
        }
        let open = try await phone.vault().unlockWithBiometrics(reason: "reason")
        try await open.setPin(Pin(TestPin.new), after: .checkedByApp(), code: .random())
        #expect(await (try phone.offlineVault().unlock(TestPin.new)).pinTier == .local)
    }

    @Test("Wrong PINs offline are charged and delayed as in a local vault, and the last ends both tiers")
    func wrong() async throws {
        let phone = try await HardenedPhone(offlinePin: .local)
        phone.hardener.fail(at: 0, .request)
        for left in stride(from: 9, through: 1, by: -1) {
            await #expect {
                try await phone.vault().unlock(TestPin.wrong)
            } throws: { error in
                guard case .refused(.wrong(left, let wait)) = error as? UnlockError else { return false }
                return (wait != nil) == (left <= 7)
            }
            guard left <= 7 else { continue }
            let calls = phone.hardener.callCount
            await #expect {
                try await phone.vault().unlock(TestPin.right)
            } throws: { error in
                guard case .refused(.waiting) = error as? UnlockError else { return false }
                return true
            }
            #expect(phone.hardener.callCount == calls)
            phone.clock.advance(by: .seconds(3600))
        }
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
            try await phone.vault().unlock(TestPin.wrong)
        }
        phone.hardener.repair()
        for pin in [TestPin.right, TestPin.wrong] {
            await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
                try await phone.vault().unlock(pin)
            }
        }
        // None of the attempts was a guess at the hardener.
        #expect(phone.hardener.standing(of: phone.device)?.triesLeft == 10)
    }

    @Test("A right PIN offline restores the device's attempts, but not the hardener's")
    func count() async throws {
        let phone = try await HardenedPhone(offlinePin: .local)
        await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
        phone.hardener.fail(at: 0, .request)
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 8, wait: nil))) {
            try await phone.vault().unlock(TestPin.wrong)
        }
        try await phone.vault().unlock(TestPin.right)
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
        #expect(phone.hardener.standing(of: phone.device)?.triesLeft == 9)
    }

    @Test("A change of PIN changes both tiers at once, and needs the hardener")
    func change() async throws {
        let phone = try await HardenedPhone(offlinePin: .local)
        phone.hardener.fail(at: 0, .request)
        await #expect(throws: ChangePinError.unlock(Self.unreached)) {
            try await phone.vault().changePin(TestPin.right, to: TestPin.new)
        }
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
        phone.hardener.repair()
        try await phone.vault().changePin(TestPin.right, to: TestPin.new)
        phone.hardener.fail(at: 0, .request)
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await phone.vault().unlock(TestPin.right)
        }
        #expect(await (try phone.vault().unlock(TestPin.new)).pinTier == .local)
    }

    @Test("An app that gives up the local tier drops it at the next possible unlock, under a new vault key")
    func dropped() async throws {
        var phone = try await HardenedPhone(offlinePin: .local)
        let thief = phone.offlineVault(in: try await phone.image())
        phone.offlinePin = .refused
        await #expect(throws: Self.nobody) { try await phone.offlineVault().unlock(TestPin.right) }
        // Evaluate, prove; opening another epoch fails.
        phone.hardener.fail(at: 2, .request)
        try await phone.vault().unlock(TestPin.right)
        #expect(try await phone.vault().protection()?.hasLocalTier == false)
        phone.hardener.repair()
        let before = phone.hardener.standing(of: phone.device)?.epoch
        let open = try await phone.vault().unlock(TestPin.right)
        #expect(phone.hardener.standing(of: phone.device)?.epoch == before?.next)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets)
        var curious = phone
        curious.offlinePin = .local
        await #expect(throws: Self.nobody) { try await curious.offlineVault().unlock(TestPin.right) }
        // An older copy still reveals the PIN, which is why the option says that it gives up the protection.
        #expect(await (try thief.unlock(TestPin.right)).pinTier == .local)
    }

    @Test("Only a copy of the record with a local tier reveals the PIN")
    func search() async throws {
        for policy in [OfflinePinPolicy.local, .refused] {
            let phone = try await HardenedPhone(offlinePin: policy)
            var thief = phone
            thief.offlinePin = .local
            let record = try await phone.image()
            var found: [String] = []
            for pin in (482_900..<482_930).map(String.init) {
                let image = MemoryStore()
                if let stored = try await record.read() { try await image.replace(stored, expecting: nil) }
                do {
                    try await thief.offlineVault(in: image).unlock(pin)
                    found.append(pin)
                } catch UnlockError.refused {
                } catch {
                    let hardener = (error as? UnlockError)?.cause?.cause as? PinHardenerError
                    guard case .unavailable = hardener else { throw error }
                }
            }
            #expect(found == (policy == .local ? [TestPin.right] : []))
        }
    }
}

private func refusal(_ code: ProblemCode, status: Int) -> RelyingPartyRefusal {
    RelyingPartyRefusal(code: code, status: status, title: "as the test says")
}

extension PinHardenerError {
    fileprivate var endsTier: Bool {
        if case .refused = self { true } else { false }
    }
}
