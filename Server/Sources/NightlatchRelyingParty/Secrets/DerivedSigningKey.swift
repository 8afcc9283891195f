import Crypto
import Foundation
import NightlatchWire

/// A key that signs by ES256 and is derived from the master key: every process has the same one, and it outlives all changes of the keys
/// that sign tokens.
struct DerivedSigningKey: Sendable {
    private let privateKey: P256.Signing.PrivateKey
    let publicKey: PublicJWK

    init(masterKey: MasterKey, for purpose: MasterKey.Purpose) {
        let material = masterKey.key(for: purpose)
        var counter: UInt8 = 0
        // Ends: of 2³² derived numbers one or so is no key. After 256 the counter overflows, which ends the process.
        while true {
            // Of 2³² derived numbers one or so is no key of P-256: then the next is taken (FIPS 186-5, appendix A.2.2).
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

    /// `claims` as a compact JWS that names this key.
    ///
    /// - Throws: What the cryptographic library throws: a defect.
    func sign(_ claims: some MessageClaims) throws -> String {
        let unsigned = UnsignedJWS(claims, algorithm: .es256, keyID: publicKey.thumbprint)
        return unsigned.signed(try privateKey.signature(for: unsigned.signingInput).rawRepresentation)
    }
}
