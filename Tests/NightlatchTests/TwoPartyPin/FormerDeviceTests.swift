import Crypto
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("A two-party PIN from before the device was bound again")
struct FormerDeviceTests {
    private struct Phone {
        let store = FaultyStore(MemoryStore())
        let keyring = ScriptedBiometrics()
        let hardener = MemoryPinHardener()
        let party = ScriptedRelyingParty()
        let keys: SoftwareDeviceKeys
        let former: DeviceID

        var binder: DeviceBinder { DeviceBinder(relyingParty: party, keys: keys) }
        var vault: Vault { .forTests(store, biometrics: keyring, hardener: hardener.client()) }

        /// A phone with a two-party PIN, biometrics and a phrase. Its relying party has forgotten it.
        ///
        /// - Parameter forbidsBiometrics: Whether the relying party has delivered a policy that does.
        init(forbidsBiometrics: Bool = false) async throws {
            keys = SoftwareDeviceKeys.inMemory()
            let vault = Vault.forTests(store, biometrics: keyring, hardener: hardener.client())
            let open = try await vault.create(TestPin.right)
            if forbidsBiometrics { await party.sign(with: P256.Signing.PrivateKey()) }
            former = try await DeviceBinder(relyingParty: party, keys: keys).bind(
                open, code: await party.issueCode(), deviceName: DeviceName(unchecked: "Phone")
            ).device
            try await open.set("seed", named: "wallet")
            try await open.setUpBiometrics()
            try await open.setUpRecovery(TestPhrase.right)
            await open.lock()
            let enrolled = try await vault.unlock(TestPin.right)
            if forbidsBiometrics {
                let revision = try #require(PolicyRevision(rawValue: 7))
                await party.set(policy: #"{"authenticators":["pin"]}"#, revision: revision)
                _ = try await Login(relyingParty: party, keys: keys).logIn(enrolled)
            }
            await enrolled.lock()
            await party.forgetDevices()
            hardener.forget(former)
        }

        /// Binds again, which gives the device another id.
        func bindAgain(in open: OpenVault) async throws -> DeviceID {
            let device = try await binder.bindAgain(
                open, code: await party.issueCode(), deviceName: DeviceName(unchecked: "Phone")
            ).device
            #expect(device != former)
            return device
        }

        /// Expects that `pin` alone opens the vault, with the hardener's key of `device`.
        func expectOnly(_ pin: String, of device: DeviceID, _ point: Int? = nil) async throws {
            let open = try await vault.unlock(pin)
            #expect(try await open.text(named: "wallet") == "seed", "\(String(describing: point))")
            #expect(try await vault.protection()?.hardener?.device == device)
            #expect(hardener.standing(of: device)?.epoch != nil)
        }
    }

    @Test("Biometrics set a new PIN without a code after the device was bound again, and not before")
    func biometrics() async throws {
        let phone = try await Phone()
        let open = try await phone.vault.unlockWithBiometrics(reason: "reason")
        await #expect(throws: SetPinError.hasPin) { try await open.setPin(Pin(TestPin.new), after: .checkedByApp()) }
        let device = try await phone.bindAgain(in: open)
        try await open.setPin(Pin(TestPin.new), after: .checkedByApp())
        try await phone.expectOnly(TestPin.new, of: device)
        await #expect(throws: SetPinError.hasPin) { try await open.setPin(Pin(TestPin.right), after: .checkedByApp()) }
    }

    @Test("Biometrics that the policy forbids open the vault for binding again, and are refused after the new PIN")
    func forbiddenBiometrics() async throws {
        let phone = try await Phone(forbidsBiometrics: true)
        let nobody = phone.hardener.copy()
        nobody.fail(at: 0, .request)
        let offline = Vault.forTests(phone.store, biometrics: phone.keyring, hardener: nobody.client())
        await #expect(throws: BiometricUnlockError.notPermitted) {
            try await offline.unlockWithBiometrics(reason: "reason")
        }
        var policy = Policy()
        policy.authenticators = PolicyChoice([.pin])
        let profile = Profile(id: .random(), name: ProfileName(unchecked: "This device"), policy: policy)
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let result = try await LocalAuthService(vault: phone.vault, of: profile, prompt: person)
            .unlock(reason: "Show the balance")
        #expect(result.ending == .unlocked(.biometrics) && person.enterings.count == 1)
        let open = try #require(result.open)
        let device = try await phone.bindAgain(in: open)
        try await open.setPin(Pin(TestPin.new), after: .checkedByApp())
        try await phone.expectOnly(TestPin.new, of: device)
        await #expect(throws: BiometricUnlockError.notPermitted) {
            try await phone.vault.unlockWithBiometrics(reason: "reason")
        }
    }

    @Test("The phrase opens the vault for binding again, changes nothing by itself, and then sets a new PIN")
    func phrase() async throws {
        let phone = try await Phone()
        let before = try await phone.store.read()
        let open = try await phone.vault.unlock(phrase: TestPhrase.right)
        #expect(open.slot == .recoveryPhrase)
        #expect(try await phone.store.read() == before)
        let device = try await phone.bindAgain(in: open)
        let recovered = try await phone.vault.recover(TestPhrase.right, newPin: TestPin.new)
        #expect(try await recovered.text(named: "wallet") == "seed")
        #expect(await open.opening.ended() == .superseded)
        try await phone.expectOnly(TestPin.new, of: device)
        await #expect(throws: RecoveryError.wrongPhrase) { try await phone.vault.unlock(phrase: TestPhrase.wrong) }
    }

    @Test(
        "The old slot stays until the new one is written: after any error a new PIN can be set, and no secret is lost",
        arguments: [true, false], MemoryPinHardener.Fault.allCases)
    func failures(atStore: Bool, fault: MemoryPinHardener.Fault) async throws {
        for point in 0..<100 {
            let phone = try await Phone()
            let open = try await phone.vault.unlockWithBiometrics(reason: "reason")
            let device = try await phone.bindAgain(in: open)
            phone.store.repair()
            phone.hardener.repair()
            if atStore {
                phone.store.fail(at: point, fault == .request ? .before : .after)
            } else {
                phone.hardener.fail(at: point, fault)
            }
            do {
                try await open.setPin(Pin(TestPin.new), after: .checkedByApp())
                phone.store.repair()
                phone.hardener.repair()
                #expect(point > 2)
                return try await phone.expectOnly(TestPin.new, of: device, point)
            } catch {
                phone.store.repair()
                phone.hardener.repair()
            }
            // Either the vault has the new PIN, or another can be set; that needs a code if the hardener has promoted
            // the first.
            do {
                try await phone.expectOnly(TestPin.new, of: device, point)
            } catch {
                let again = try await phone.vault.unlockWithBiometrics(reason: "reason")
                try await again.setPin(Pin(TestPin.newest), after: .checkedByApp(), code: .random())
                try await phone.expectOnly(TestPin.newest, of: device, point)
            }
        }
        Issue.record("the PIN was never set")
    }

    @Test("After a lost promotion, the next unlock with the new PIN detects it, although the old device is gone")
    func lostPromotion() async throws {
        let phone = try await Phone()
        let open = try await phone.vault.unlockWithBiometrics(reason: "reason")
        let device = try await phone.bindAgain(in: open)
        // Open, evaluate, promote: that answer and all later messages are lost.
        phone.hardener.fail(at: 2, .answer)
        await #expect(throws: SetPinError.self) { try await open.setPin(Pin(TestPin.new), after: .checkedByApp()) }
        phone.hardener.repair()
        #expect(phone.hardener.standing(of: device)?.epoch == .first)
        #expect(try await phone.vault.protection()?.hardener?.device == phone.former)
        try await phone.expectOnly(TestPin.new, of: device)
    }
}
