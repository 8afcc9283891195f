import Crypto
import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Boxes for keys that biometrics release")
struct HPKEBoxTests {
    /// A hardware key whose use the user, or the system, refuses.
    private struct RefusingKey: HPKEDiffieHellmanPrivateKey {
        struct Refusal: Error {}

        let publicKey: P256.KeyAgreement.PublicKey

        func sharedSecretFromKeyAgreement(with publicKeyShare: P256.KeyAgreement.PublicKey) throws -> SharedSecret {
            throw Refusal()
        }
    }

    @Test("An error of the key is passed on, and not taken for a changed box")
    func refusal() async throws {
        let box = try await box()
        let key = RefusingKey(publicKey: P256.KeyAgreement.PrivateKey().publicKey)
        #expect(throws: RefusingKey.Refusal.self) {
            _ = try box.open(with: key, suite: HPKEBox.biometricSuite, info: []) != nil
        }
    }

    @Test("A box for another key, or with a malformed sender's key, does not open")
    func notOpened() async throws {
        let key = P256.KeyAgreement.PrivateKey()
        let box = try await box()
        #expect(try box.open(with: key, suite: HPKEBox.biometricSuite, info: []) == nil)
        for text in ["", "AAAA", Base64URL.encode([4] + Array(repeating: 1, count: 64))] {
            let broken = try JSONDecoder().decode(
                HPKEBox.self, from: Data(#"{"ciphertext":"AAAA","encapsulated_key":"\#(text)"}"#.utf8))
            #expect(try broken.open(with: key, suite: HPKEBox.biometricSuite, info: []) == nil)
        }
    }

    /// The box in a vault that biometrics open.
    private func box() async throws -> HPKEBox {
        let store = MemoryStore()
        let open = try await Vault.forTests(store, biometrics: ScriptedBiometrics()).create(TestPin.right)
        try await open.setUpBiometrics()
        let tree = try #require(try await store.json()["sealed", "slots", "biometrics"])
        return try JSONDecoder().decode(HPKEBox.self, from: Data(tree.bytes))
    }
}
