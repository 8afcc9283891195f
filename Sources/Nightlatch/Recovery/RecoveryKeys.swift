package import Crypto

/// The keys that are derived from a recovery phrase.
package struct RecoveryKeys: Sendable {
    /// A key with a public half that is sealed in the vault. So anything that is sealed to it was sealed by a party
    /// that knew the phrase or once had the vault key.
    package let hidden: Curve25519.KeyAgreement.PrivateKey
    /// A key with a public half that is readable in vaults of the first format, so anyone can seal to it.
    package let readable: Curve25519.KeyAgreement.PrivateKey
}
