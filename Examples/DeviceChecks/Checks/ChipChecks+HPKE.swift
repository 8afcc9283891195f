import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire

// On Apple systems swift-crypto is CryptoKit.
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

extension ChipChecks {
    /// CryptoKit opens boxes of HPKE with a private key of another type: one in this app, and the chip's in a PIN slot.
    func hpkeKeyType() async -> CheckOutcome {
        guard opensWithOwnKeyType() else { return .done(.didNotHold, ["own_type": "refused"]) }
        let slot = system.adapters.pinSlot
        let pin = SecretBytes.random(byteCount: 32)
        let secret = SecretBytes.random(byteCount: 32)
        do throws(SecureEnclavePinSlotError) {
            try await slot.seal(secret, under: pin)
        } catch {
            guard error == .noSecureEnclave else { return outcome(of: error) }
            return .done(.held, ["own_type": "accepted", "pin_slot": error.description])
        }
        let answer: String
        do throws(SecureEnclavePinSlotError) {
            answer = try await slot.open(with: pin).isEqual(to: secret) ? "opened" : "another secret"
        } catch {
            answer = error.description
        }
        if let problem = await removal(of: slot) { return problem }
        return .done(answer == "opened" ? .held : .didNotHold, ["own_type": "accepted", "pin_slot": answer])
    }

    private func opensWithOwnKeyType() -> Bool {
        let key = KeyInMemory(key: P256.KeyAgreement.PrivateKey())
        guard let box = HPKEBox(sealing: CheckedBox.content, to: key.publicKey),
            let opened = try? box.open(with: key, suite: HPKEBox.biometricSuite, info: CheckedBox.info)
        else { return false }
        return opened.isEqual(to: SecretBytes(copying: CheckedBox.content))
    }
}

/// A private key of a type that CryptoKit does not know.
private struct KeyInMemory: HPKEDiffieHellmanPrivateKey {
    let key: P256.KeyAgreement.PrivateKey

    var publicKey: P256.KeyAgreement.PublicKey { key.publicKey }

    func sharedSecretFromKeyAgreement(with publicKeyShare: P256.KeyAgreement.PublicKey) throws -> SharedSecret {
        try key.sharedSecretFromKeyAgreement(with: publicKeyShare)
    }
}
