/// The algorithm of a wallet key.
///
/// secp256k1 is not included, because swift-crypto does not have it. An app that needs it stores the seed with
/// ``OpenVault/set(_:named:)`` and signs with another library.
public enum WalletKeyKind: String, Hashable, Sendable, CaseIterable {
    /// Ed25519 over the bytes themselves ([RFC 8032](https://www.rfc-editor.org/rfc/rfc8032#section-5.1)). A signature
    /// is 64 bytes.
    case ed25519
    /// ECDSA on P-256 over the SHA-256 of the bytes (FIPS 186-5, section 6). A signature is R and S, 32 bytes each.
    ///
    /// S may be in either half of its range. If the receiver accepts only low values, the app replaces a high one by
    /// `n - S`.
    case p256
}

/// The public half of a wallet key.
public struct WalletPublicKey: Hashable, Sendable {
    public let name: WalletKeyName
    public let kind: WalletKeyKind
    /// The public key: 32 bytes for Ed25519 (RFC 8032, section 5.1.5), or the 65 bytes of the uncompressed point for
    /// P-256 (SEC 1, section 2.3.3).
    public let bytes: [UInt8]
}
