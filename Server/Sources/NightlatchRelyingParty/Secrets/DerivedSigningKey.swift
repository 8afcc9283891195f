import Crypto
import Foundation
import NightlatchWire

/// An ES256 signing key that is derived from a kept secret: every process has the same key, and no rotation changes it.
struct DerivedSigningKey: Sendable {
    private let privateKey: P256.Signing.PrivateKey
    let publicKey: PublicJWK

    init(material: SymmetricKey) {
        var counter: UInt8 = 0
        // Ends: only about one of 2³² derived numbers is not a P-256 key. After 256 such numbers the counter overflows,
        // which ends the process.
        while true {
            // If a number is not a key, the next number is tried (FIPS 186-5, appendix A.2.2).
            let bytes = HKDF<SHA256>.expand(pseudoRandomKey: material, info: [counter], outputByteCount: 32)
            if let key = unsafe bytes.withUnsafeBytes({ unsafe try? P256.Signing.PrivateKey(rawRepresentation: $0) }),
                let coordinates = ECPublicJWK(coordinates: Array(key.publicKey.rawRepresentation))
            {
                privateKey = key
                publicKey = .ec(coordinates)
                return
            }
            counter += 1
        }
    }

    /// Signs `claims` as a compact JWS that names this key.
    ///
    /// - Throws: An error of the cryptographic library, which is a defect.
    func sign(_ claims: some MessageClaims) throws -> String {
        let unsigned = UnsignedJWS(claims, algorithm: .es256, keyID: publicKey.thumbprint)
        return unsigned.signed(try privateKey.signature(for: unsigned.signingInput).rawRepresentation)
    }
}
