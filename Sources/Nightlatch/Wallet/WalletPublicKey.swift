/// The algorithm of a wallet key.
///
/// secp256k1 is not among them, since swift-crypto does not have it. An app that needs it keeps the seed with
/// ``OpenVault/set(_:named:)`` and signs with a library of its own.
public enum WalletKeyKind: String, Hashable, Sendable, CaseIterable {
    /// Ed25519 over the bytes themselves ([RFC 8032](https://www.rfc-editor.org/rfc/rfc8032#section-5.1)). A signature is 64 bytes.
    case ed25519
    /// ECDSA on P-256 over the SHA-256 of the bytes (FIPS 186-5, section 6). A signature is R and S, 32 bytes each; S may lie in
    /// either half of its range, so where only low values are taken, the app puts `n - S` in the place of a high one.
    case p256
}

/// A wallet key as everybody may know it.
public struct WalletPublicKey: Hashable, Sendable {
    public let name: WalletKeyName
    public let kind: WalletKeyKind
    /// For Ed25519 32 bytes (RFC 8032, section 5.1.5), for P-256 the 65 bytes of the uncompressed point (SEC 1, section 2.3.3).
    public let bytes: [UInt8]
}
