package import Crypto

/// The keys that a recovery phrase gives.
package struct RecoveryKeys: Sendable {
    /// Its public half is sealed in the vault and readable nowhere. So what is sealed to it was sealed by somebody who knew the phrase, or
    /// has had the vault key.
    package let hidden: Curve25519.KeyAgreement.PrivateKey
    /// Its public half is readable in vaults of the first format, so anybody who has read it can seal to it.
    package let readable: Curve25519.KeyAgreement.PrivateKey
}
