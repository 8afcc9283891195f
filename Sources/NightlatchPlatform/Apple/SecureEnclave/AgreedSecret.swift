import Crypto

/// The shared secret from the chip, in place of a private key.
///
/// The receiver of HPKE needs nothing else
/// ([RFC 9180, section 4.1](https://www.rfc-editor.org/rfc/rfc9180#section-4.1)). The chip's errors are handled earlier
/// and do not pass through HPKE.
struct AgreedSecret: HPKEDiffieHellmanPrivateKey {
    struct OtherSender: Error {}

    let publicKey: P256.KeyAgreement.PublicKey
    let sender: P256.KeyAgreement.PublicKey
    let secret: SharedSecret

    func sharedSecretFromKeyAgreement(with publicKeyShare: P256.KeyAgreement.PublicKey) throws -> SharedSecret {
        guard publicKeyShare.x963Representation == sender.x963Representation else { throw OtherSender() }
        return secret
    }
}
