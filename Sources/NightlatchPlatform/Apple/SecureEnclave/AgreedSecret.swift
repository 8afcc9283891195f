import Crypto

/// What the chip has agreed with a box's sender, in the place of the private key: HPKE's receiver asks for nothing else
/// ([RFC 9180, section 4.1](https://www.rfc-editor.org/rfc/rfc9180#section-4.1)), and what the chip fails with reaches nobody through it.
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
