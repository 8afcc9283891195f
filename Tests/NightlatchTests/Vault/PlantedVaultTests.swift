import Crypto
import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// An attacker who can read and write the record, and knows neither PIN, phrase nor vault key, replaces the vault with
/// another one, sealed for the readable values of the user's keys.
@Suite("Planted vaults")
struct PlantedVaultTests {
    private let store = MemoryStore()
    private let keyring = ScriptedBiometrics()
    private var vault: Vault { .forTests(store, biometrics: keyring) }

    /// A vault that PIN, biometrics and phrase open.
    @discardableResult
    private func made() async throws -> OpenVault {
        let open = try await vault.create(TestPin.right)
        try await open.set("seed", named: "wallet")
        try await open.setUpBiometrics()
        try await open.setUpRecovery(TestPhrase.right)
        return open
    }

    @Test("The record contains the public key of neither phrase nor biometrics, in any encoding")
    func nothingReadable() async throws {
        try await made()
        let bytes = try #require(try await store.read()).bytes
        let text = String(decoding: bytes, as: UTF8.self)
        let keys = try RecoveryPhrase(typed: SecretBytes(copying: Array(TestPhrase.right.utf8))).recoveryKeys()
        for key in [keys.hidden, keys.readable] {
            #expect(!text.contains(Base64URL.encode(key.publicKey.rawRepresentation)))
        }
        #expect(!text.contains("public_key"))
        // No other value than the sealed one is long enough for a key and unexplained.
        #expect(try await store.json()["sealed", "content", "recipients"] == nil)
    }

    @Test("A recovery detects a vault sealed for the public key in an older record, and changes nothing")
    func sealedToReadableKey() async throws {
        // The attacker has a record of the first format, in which the phrase's public key is readable.
        let planted = try Plant(try await FirstFormat.store().json()).record()
        store.plant(planted)
        let before = try await store.read()
        await #expect(throws: RecoveryError.unauthenticated) {
            try await vault.recover(TestPhrase.right, newPin: TestPin.new)
        }
        #expect(try await store.read() == before)
        // The control: a user who accepts the vault anyway gets the attacker's content.
        let open = try await vault.recover(TestPhrase.right, newPin: TestPin.new, acceptingUnauthenticated: true)
        #expect(try await open.texts() == ["wallet": "attacker's"])
    }

    @Test("The owner's vault is recovered without a warning, also after a recovery with the warning")
    func ownersVault() async throws {
        try await made()
        let open = try await vault.recover(TestPhrase.right, newPin: TestPin.new)
        #expect(try await open.texts() == ["wallet": "seed"])
        #expect(try await !open.isRecoveryUnauthenticated())
        let old = FirstFormat.store()
        let first = Vault.forTests(old)
        let recovered = try await first.recover(
            TestPhrase.right, newPin: TestPin.new, acceptingUnauthenticated: true)
        #expect(try await !recovered.isRecoveryUnauthenticated())
        #expect(try await first.recover(TestPhrase.right, newPin: TestPin.right).texts() == ["wallet": "seed"])
    }

    @Test("A phrase of the first format stays unauthenticated after an upgrade by PIN, until it is set up again")
    func upgradedPhrase() async throws {
        let old = FirstFormat.store()
        let upgraded = Vault.forTests(old)
        let open = try await upgraded.unlock(TestPin.right)
        #expect(try await open.isRecoveryUnauthenticated())
        await #expect(throws: RecoveryError.unauthenticated) {
            try await upgraded.recover(TestPhrase.right, newPin: TestPin.new)
        }
        try await open.setUpRecovery(TestPhrase.right)
        #expect(try await !open.isRecoveryUnauthenticated())
        #expect(try await upgraded.recover(TestPhrase.right, newPin: TestPin.new).texts() == ["wallet": "seed"])
    }

    @Test("An old slot of the owner opens no content of another vault")
    func ownersSlot() async throws {
        try await made()
        let own = try await store.json()
        let foreign = MemoryStore()
        let other = try await Vault.forTests(foreign).create(TestPin.new)
        try await other.setUpRecovery(TestPhrase.wrong)
        var record = try await foreign.json()
        for slot in ["recovery", "biometrics", "biometric_key"] {
            record["sealed", "slots", slot] = own["sealed", "slots", slot]
        }
        let planted = MemoryStore()
        planted.plant(StoredRecord(revision: try #require(try await foreign.read()).revision, bytes: record.bytes))
        let vault = Vault.forTests(planted, biometrics: keyring)
        await #expect(throws: RecoveryError.wrongPhrase) {
            try await vault.recover(TestPhrase.right, newPin: TestPin.new, acceptingUnauthenticated: true)
        }
        await #expect(throws: BiometricUnlockError.self) { _ = try await vault.unlockWithBiometrics(reason: "reason") }
    }

    @Test("After an unlock by biometrics, a box for the biometric key in an older record does not open")
    func biometrics() async throws {
        // A vault of the first format whose biometric key is in this keyring.
        let key = try await keyring.create(.first)
        var old = try await FirstFormat.store().json()
        old["sealed", "content", "recipients", "biometrics", "public_key"] = .string(
            Base64URL.encode(key.x963Representation))
        let planted = try Plant(old).record()
        store.plant(planted)
        // Until then the two vaults cannot be distinguished.
        let opened = try await vault.unlockWithBiometrics(reason: "reason")
        #expect(try await opened.texts() == ["wallet": "attacker's"])

        // The planted vault is a vault of the first format with a PIN, so it can represent the owner's here.
        let owner = MemoryStore()
        owner.plant(planted)
        let owners = Vault.forTests(owner, biometrics: keyring)
        let open = try await owners.unlock(Plant.pin)
        #expect(open.rekeyFailure == nil)
        // A new key would accept whatever is enrolled now, so the old one must be used first.
        #expect(keyring.keys == [.first])
        #expect(try await owners.unlockWithBiometrics(reason: "reason").texts() == ["wallet": "attacker's"])
        #expect(keyring.keys == [.second])
        #expect(try await owner.json()["sealed", "slots", "biometric_key"] == .string("second"))
        #expect(try await owners.unlockWithBiometrics(reason: "reason").texts() == ["wallet": "attacker's"])
        await #expect(throws: BiometricUnlockError.biometrics(.enrolmentChanged)) {
            _ = try await vault.unlockWithBiometrics(reason: "reason")
        }
    }

    @Test("If the upgrade cannot make a new biometric key, biometrics open as before, and the next unlock tries again")
    func keyringFails() async throws {
        let key = try await keyring.create(.first)
        var old = try await FirstFormat.store().json()
        old["sealed", "content", "recipients", "biometrics", "public_key"] = .string(
            Base64URL.encode(key.x963Representation))
        store.plant(try Plant(old).record())
        keyring.failKeyChanges(with: .interrupted)
        try await vault.unlock(Plant.pin)
        #expect(keyring.keys == [.first])
        _ = try await vault.unlockWithBiometrics(reason: "reason")
        #expect(keyring.keys == [.first])
        keyring.failKeyChanges(with: nil)
        _ = try await vault.unlockWithBiometrics(reason: "reason")
        #expect(keyring.keys == [.second])
        _ = try await vault.unlockWithBiometrics(reason: "reason")
    }

    @Test(
        "A readable biometric key that could not be removed is removed at the next unlock that can",
        arguments: [VaultSlot.pin, .biometrics])
    func removalFails(way: VaultSlot) async throws {
        let key = try await keyring.create(.first)
        var old = try await FirstFormat.store().json()
        old["sealed", "content", "recipients", "biometrics", "public_key"] = .string(
            Base64URL.encode(key.x963Representation))
        store.plant(try Plant(old).record())
        try await vault.unlock(Plant.pin)
        keyring.failRemovals(with: .interrupted)
        _ = try await vault.unlockWithBiometrics(reason: "reason")
        #expect(keyring.keys == [.first, .second])
        // The removal still fails.
        _ = try await vault.unlockWithBiometrics(reason: "reason")
        try await vault.unlock(Plant.pin)
        #expect(keyring.keys == [.first, .second])
        keyring.failRemovals(with: nil)
        if way == .pin {
            try await vault.unlock(Plant.pin)
        } else {
            _ = try await vault.unlockWithBiometrics(reason: "reason")
        }
        #expect(keyring.keys == [.second])
        // One removal is enough: from then on an unlock by biometrics writes nothing.
        let record = try await store.read()
        #expect(try await vault.unlockWithBiometrics(reason: "reason").texts() == ["wallet": "attacker's"])
        #expect(try await store.read() == record)
    }
}

/// A vault of the first format that an attacker seals with the readable values of such a record: the vault's id, and
/// the public keys of phrase and biometrics.
private struct Plant {
    static let pin = TestPin.new
    private let old: JSONTree
    private let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }

    init(_ old: JSONTree) {
        self.old = old
    }

    func record() throws -> StoredRecord {
        let vaultID = try #require(old["vault_id"]?.text)
        var record = old
        let item = try box(
            Array("attacker's".utf8), under: derive(parts("nightlatch vault item key", "wallet")),
            parts("nightlatch vault item") + number(1) + parts(vaultID, "wallet"))
        record["sealed", "content", "items"] = .object(["wallet": .string(item)])
        record["sealed", "slots", "biometrics"] = nil
        let recipients = try #require(record["sealed", "content", "recipients"])
        if let text = recipients["biometrics", "public_key"]?.text,
            let point = Base64URL.decode(text),
            let slot = try? P256.KeyAgreement.PublicKey(x963Representation: point)
        {
            record["sealed", "slots", "biometrics"] = try sealed(
                to: slot, HPKEBox.biometricSuite, VaultKeys.slotInfo(record, "sealed", .biometrics))
        }
        let text = try #require(recipients["recovery"]?.text.flatMap { Base64URL.decode($0) })
        record["sealed", "slots", "recovery"] = try sealed(
            to: try Curve25519.KeyAgreement.PublicKey(rawRepresentation: text),
            HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256),
            VaultKeys.slotInfo(record, "sealed", .recoveryPhrase))
        record["sealed", "slots", "pin"] = try SlotForger(record).slot(
            opening: Self.pin, holding: key, iterations: 1)
        let said =
            parts("nightlatch vault content") + number(1) + parts(vaultID) + number(1) + number(4)
            + part(recipients.bytes) + parts("wallet") + part(try #require(Base64URL.decode(item)))
        let mac = HMAC<SHA256>.authenticationCode(
            for: said, using: SymmetricKey(data: derive(parts("nightlatch vault mac"))))
        record["sealed", "content", "mac"] = .string(Base64URL.encode(Data(mac)))
        return StoredRecord(revision: FirstFormat.revision, bytes: record.bytes)
    }

    private func sealed(
        to key: some HPKEDiffieHellmanPublicKey,
        _ suite: HPKE.Ciphersuite,
        _ info: [UInt8]?
    ) throws -> JSONTree {
        var sender = try HPKE.Sender(recipientKey: key, ciphersuite: suite, info: Data(try #require(info)))
        let ciphertext = try sender.seal(Data(self.key))
        return .object([
            "ciphertext": .string(Base64URL.encode(ciphertext)),
            "encapsulated_key": .string(Base64URL.encode(sender.encapsulatedKey)),
        ])
    }

    private func derive(_ info: [UInt8]) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: self.key), info: info, outputByteCount: 32)
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }

    private func box(_ bytes: [UInt8], under key: [UInt8], _ description: [UInt8]) throws -> String {
        let box = try AES.GCM.seal(bytes, using: SymmetricKey(data: key), authenticating: description)
        return Base64URL.encode(try #require(box.combined))
    }

    private func parts(_ texts: String...) -> [UInt8] { texts.flatMap { part(Array($0.utf8)) } }

    private func number(_ number: UInt64) -> [UInt8] {
        part((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }

    private func part(_ bytes: [UInt8]) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) } + bytes
    }
}
