import Crypto
import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// An attacker who can write to the store, and knows no PIN, adds a key to those for which the vault is wrapped.
@Suite("Vaults and planted keys")
struct PlantedKeyTests {
    enum Plant: CaseIterable {
        case recovery, biometrics
    }

    enum Operation: CaseIterable {
        case unlock, raiseKeyDerivation, changePin, unlockWithBiometrics, recover
        // With a vault that was opened before the key was planted.
        case set, remove, setUpBiometrics, removeBiometrics, setUpRecovery, removeRecovery, setPin

        var needsEndedPin: Bool { self == .setPin }
    }

    @Test(
        "Every operation detects a planted recovery or biometric key before it wraps a key for it",
        arguments: Operation.allCases, Plant.allCases)
    func planted(operation: Operation, plant: Plant) async throws {
        // With the user's own key replaced, and with a key added where there was none.
        for isReplacing in [true, false] {
            let scene = try await Scene(hasOwnKeys: isReplacing, isPinEnded: operation.needsEndedPin)
            let attacker = Attacker()
            let record = try await scene.tampered { attacker.plant(plant, in: &$0) }
            scene.memory.plant(record)
            let before = try await scene.memory.json()
            let error = await scene.run(operation)

            let situation: Comment = "\(operation), \(plant), in place of another: \(isReplacing)"
            let isMissing = !isReplacing && [.unlockWithBiometrics, .recover].contains(operation)
            #expect(error != nil, situation)
            if !isMissing { expectFound(in: error, situation) }
            #expect(try await scene.memory.json()["sealed"] == before["sealed"], situation)
            for written in scene.store.written { #expect(!attacker.canOpen(try JSONTree(written)), situation) }
        }
    }

    @Test(
        "A key planted at any step of a change of PIN gets no wrapped key, and is in no vault that opens",
        arguments: Plant.allCases)
    func plantedInBetween(plant: Plant) async throws {
        var call = 0
        while true {
            let scene = try await Scene(hasOwnKeys: true, isPinEnded: false)
            let attacker = Attacker()
            scene.store.interrupt(at: call) {
                guard let record = try? await scene.tampered({ attacker.plant(plant, in: &$0) }) else { return }
                scene.memory.plant(record)
            }
            _ = try? await scene.vault.changePin(TestPin.right, to: TestPin.new)
            guard scene.store.callCount > call else { break }
            for written in scene.store.written { #expect(!attacker.canOpen(try JSONTree(written)), "call \(call)") }
            for pin in [TestPin.right, TestPin.new] where (try? await scene.vault.unlock(pin)) != nil {
                let recipients = try await scene.memory.json()["sealed", "content", "sealed_recipients"]
                #expect(recipients?.text != nil && recipients?.text != attacker.sealedRecipients, "call \(call)")
            }
            call += 1
        }
        #expect(call > 5)
    }

    @Test("The attacker of these tests could open a vault that was wrapped for the planted key")
    func control() async throws {
        let scene = try await Scene(hasOwnKeys: true, isPinEnded: false)
        let phrase = try RecoveryPhrase(typed: SecretBytes(copying: Array(TestPhrase.right.utf8)))
        let owner = Attacker(recovery: try phrase.recoveryKeys().hidden, biometrics: P256.KeyAgreement.PrivateKey())
        #expect(owner.canOpen(try await scene.memory.json()))
        #expect(!Attacker().canOpen(try await scene.memory.json()))
    }

    private struct Attacker: Sendable {
        var recovery = Curve25519.KeyAgreement.PrivateKey()
        var biometrics = P256.KeyAgreement.PrivateKey()
        /// Both keys as the attacker can seal them: under the attacker's own key, without the vault's.
        let sealedRecipients = Base64URL.encode((0..<160).map { _ in UInt8.random(in: .min ... .max) })

        func plant(_ plant: Plant, in record: inout JSONTree) {
            for part in ["sealed", "change"] where record[part] != nil {
                record[part, "content", "sealed_recipients"] = .string(sealedRecipients)
                guard record[part, "content", "format"] == nil else { continue }
                record[part, "content", "sealed_recipients"] = nil
                switch plant {
                case .recovery:
                    record[part, "content", "recipients", "recovery"] = .string(recoveryText)
                case .biometrics:
                    record[part, "content", "recipients", "biometrics"] = .object([
                        "key": .string("first"), "public_key": .string(biometricsText),
                    ])
                }
            }
        }

        /// Whether any slot of the record was sealed for one of these keys.
        func canOpen(_ record: JSONTree) -> Bool {
            ["sealed", "change"].contains { part in
                opens(record, part, .recoveryPhrase, "recovery") || opens(record, part, .biometrics, "biometrics")
            }
        }

        private func opens(_ record: JSONTree, _ part: String, _ way: VaultSlot, _ slot: String) -> Bool {
            guard let tree = record[part, "slots", slot],
                let box = try? JSONDecoder().decode(HPKEBox.self, from: Data(tree.bytes)),
                let info = VaultKeys.slotInfo(record, part, way)
            else { return false }
            let suite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)
            return switch way {
            case .recoveryPhrase: (try? box.open(with: recovery, suite: suite, info: info) != nil) ?? false
            default:
                (try? box.open(with: biometrics, suite: HPKEBox.biometricSuite, info: info) != nil) ?? false
            }
        }

        private var recoveryText: String { Base64URL.encode(Array(recovery.publicKey.rawRepresentation)) }
        private var biometricsText: String { Base64URL.encode(Array(biometrics.publicKey.x963Representation)) }
    }

    private struct Scene: Sendable {
        let memory = MemoryStore()
        let store: RecordingStore
        let keyring = ScriptedBiometrics()
        let vault: Vault
        let stronger: Vault
        let open: OpenVault

        init(hasOwnKeys: Bool, isPinEnded: Bool) async throws {
            store = RecordingStore(memory)
            vault = .forTests(store, biometrics: keyring)
            stronger = .forTests(store, biometrics: keyring, keyDerivation: .pbkdf2(iterations: 2))
            let first = try await Vault.forTests(memory, biometrics: keyring).create(TestPin.right)
            try await first.set("seed", named: "wallet")
            try await first.setUpBiometrics()
            try await first.setUpRecovery(TestPhrase.right)
            if isPinEnded {
                open = try await vault.unlockWithBiometrics(reason: "reason")
                _ = try await Vault.forTests(memory, biometrics: keyring).giveUpPin()
            } else {
                open = try await Vault.forTests(store, biometrics: keyring).unlock(TestPin.right)
            }
            // The slot that opened the vault must stay, or its removal alone would end it.
            if !hasOwnKeys, !isPinEnded {
                try await first.removeBiometrics()
                try await first.removeRecovery()
            }
        }

        func tampered(_ change: (inout JSONTree) -> Void) async throws -> StoredRecord {
            var tree = try await memory.json()
            change(&tree)
            return StoredRecord(revision: try #require(try await memory.read()).revision, bytes: tree.bytes)
        }

        func run(_ operation: Operation) async -> (any Error)? {
            do {
                switch operation {
                case .unlock: try await vault.unlock(TestPin.right)
                case .raiseKeyDerivation: try await stronger.unlock(TestPin.right)
                case .changePin: try await vault.changePin(TestPin.right, to: TestPin.new)
                case .unlockWithBiometrics: _ = try await vault.unlockWithBiometrics(reason: "reason")
                case .recover: try await vault.recover(TestPhrase.right, newPin: TestPin.new)
                case .set: try await open.set("more", named: "other")
                case .remove: try await open.remove([SecretName(unchecked: "wallet")])
                case .setUpBiometrics: try await open.setUpBiometrics()
                case .removeBiometrics: try await open.removeBiometrics()
                case .setUpRecovery: try await open.setUpRecovery(TestPhrase.wrong)
                case .removeRecovery: try await open.removeRecovery()
                case .setPin: try await open.setPin(TestPin.new)
                }
                return nil
            } catch {
                return error
            }
        }
    }

    /// With a PIN the result is a wrong PIN. With another key, or an open vault, the result is a changed record.
    private func expectFound(in error: (any Error)?, _ situation: Comment) {
        switch error {
        case UnlockError.refused(.wrong)?, ChangePinError.refused(.wrong)?: break
        case let error as VaultError: #expect(error == .corrupt, situation)
        case BiometricUnlockError.vault(let error)?, BiometricSetupError.vault(let error)?,
            RecoveryError.vault(let error)?, RecoverySetupError.vault(let error)?,
            SetPinError.vault(let error)?:
            #expect(error == .corrupt, situation)
        default: Issue.record("\(String(describing: error)): \(situation)")
        }
    }
}
