import Crypto
import Foundation
package import NightlatchWire

/// An access token signing key, opened.
package struct TokenSigningKey: Sendable {
    package let id: KeyID
    package let publicKey: PublicJWK
    /// The time from which it signs.
    package let activeFrom: NumericDate
    let privateKey: P256.Signing.PrivateKey
    /// The header of the access tokens that it signs.
    let tokenHeader: EncodedJWSHeader
    /// The header of the ID tokens that it signs.
    let idTokenHeader: EncodedJWSHeader

    /// The reason why a stored key cannot be used.
    package enum Refusal: Error, Hashable, Sendable {
        /// It was sealed under another master key, or was changed.
        case sealBroken
    }

    private init(_ privateKey: P256.Signing.PrivateKey, activeFrom: NumericDate) throws(Refusal) {
        let coordinates = Array(privateKey.publicKey.rawRepresentation)
        guard let publicKey = ECPublicJWK(coordinates: coordinates).map(PublicJWK.ec) else { throw .sealBroken }
        self.privateKey = privateKey
        self.publicKey = publicKey
        self.activeFrom = activeFrom
        id = publicKey.thumbprint
        tokenHeader = EncodedJWSHeader(JWSHeader(algorithm: .es256, type: .accessToken, keyID: id))
        idTokenHeader = EncodedJWSHeader(JWSHeader(algorithm: .es256, type: .idToken, keyID: id))
    }

    /// Makes a new key that signs at once.
    package static func random() throws(Refusal) -> Self {
        try Self(P256.Signing.PrivateKey(), activeFrom: NumericDate(secondsSince1970: 0))
    }

    /// Opens a key that was sealed under a key of `keyring`.
    package init(_ sealed: SealedSigningKey, underKeyOf keyring: MasterKeyring) throws(Refusal) {
        for masterKey in keyring.keys {
            do {
                self = try Self(sealed, under: masterKey)
                return
            } catch {
                // Sealed under another key of the keyring, or damaged.
            }
        }
        throw .sealBroken
    }

    /// Opens a key that ``sealed(under:createdAt:activeFrom:)`` sealed.
    package init(_ sealed: SealedSigningKey, under masterKey: MasterKey) throws(Refusal) {
        do {
            let plaintext = try AES.GCM.open(
                AES.GCM.SealedBox(combined: sealed.box), using: masterKey.key(for: .signingKey),
                authenticating: Data(sealed.id.rawValue.utf8))
            self = try Self(P256.Signing.PrivateKey(rawRepresentation: plaintext), activeFrom: sealed.activeFrom)
        } catch {
            throw .sealBroken
        }
        guard id == sealed.id else { throw .sealBroken }
    }

    /// Seals the key for the store with AES-256-GCM, under a key that is derived from the master key.
    ///
    /// The associated data is the key's own id, so that the boxes of two keys cannot be exchanged.
    package func sealed(
        under masterKey: MasterKey,
        createdAt: NumericDate,
        activeFrom: NumericDate
    ) throws(Refusal) -> SealedSigningKey {
        do {
            let box = try AES.GCM.seal(
                privateKey.rawRepresentation, using: masterKey.key(for: .signingKey),
                authenticating: Data(id.rawValue.utf8))
            guard let combined = box.combined else { throw Refusal.sealBroken }
            return SealedSigningKey(
                id: id, box: Array(combined), masterKey: masterKey.id, createdAt: createdAt, activeFrom: activeFrom)
        } catch {
            throw .sealBroken
        }
    }
}
