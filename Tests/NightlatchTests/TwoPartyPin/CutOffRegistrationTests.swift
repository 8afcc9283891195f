import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Interrupted registration for a two-party PIN")
struct CutOffRegistrationTests {
    private struct Phone {
        let store = FaultyStore(MemoryStore())
        let hardener = MemoryPinHardener()
        let party = ScriptedRelyingParty()
        let keys = SoftwareDeviceKeys.inMemory()

        /// The vault as a new process opens it.
        var vault: Vault { .forTests(store, hardener: hardener.client()) }

        /// The app's steps, which it repeats after a crash.
        func register(_ code: EnrolmentCode) async throws {
            let vault = vault
            let protection = try await vault.protection()
            let open: OpenVault
            if let protection, !protection.isPinProvisional {
                open = try await vault.unlock(TestPin.right)
            } else if protection != nil {
                open = try await vault.resumeForTwoPartyPin(with: code)
            } else {
                open = try await vault.createForTwoPartyPin(resumableWith: code)
            }
            _ = try await DeviceBinder(relyingParty: party, keys: keys)
                .bindAgain(open, code: code, deviceName: DeviceName(unchecked: "Phone"))
            if protection?.isPinProvisional ?? true { try await open.setTwoPartyPin(Pin(TestPin.right)) }
            await open.lock()
        }
    }

    @Test(
        "After any error of the store or the relying party, the same steps with the same code complete the registration",
        arguments: [true, false], MemoryPinHardener.Fault.allCases)
    func carriesOn(atStore: Bool, fault: MemoryPinHardener.Fault) async throws {
        for point in 0..<200 {
            let phone = Phone()
            let code = await phone.party.issueCode()
            if atStore {
                phone.store.fail(at: point, fault == .request ? .before : .after)
            } else {
                phone.hardener.fail(at: point, fault)
            }
            var isWhole = true
            do {
                try await phone.register(code)
            } catch {
                isWhole = false
            }
            phone.store.repair()
            phone.hardener.repair()
            if !isWhole { try await phone.register(code) }
            let open = try await phone.vault.unlock(TestPin.right)
            #expect(await open.pinTier == .hardened, "\(point)")
            #expect(await phone.party.devices.count == 1, "\(point)")
            #expect(try await phone.vault.protection()?.isPinProvisional == false)
            if isWhole { return #expect(point > 2) }
        }
        Issue.record("the registration was never whole")
    }

    @Test("No PIN and no other code opens such a vault, and its protection says that the PIN is provisional")
    func provisional() async throws {
        let phone = Phone()
        let code = await phone.party.issueCode()
        await (try phone.vault.createForTwoPartyPin(resumableWith: code)).lock()
        #expect(try await phone.vault.protection()?.isPinProvisional == true)
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await phone.vault.resumeForTwoPartyPin(with: .random())
        }
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 8, wait: nil))) {
            try await phone.vault.unlock(TestPin.right)
        }
        await (try phone.vault.resumeForTwoPartyPin(with: code)).lock()

        let other = Vault.forTests(MemoryStore())
        await (try other.create(TestPin.right)).lock()
        await #expect(throws: UnlockError.noVault) { try await other.resumeForTwoPartyPin(with: code) }
        #expect(try await other.state() == .ready(triesLeft: 10))
    }
}
