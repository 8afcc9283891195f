import Crypto
import Foundation
public import NightlatchWire

/// Signs the heads of the audit log. It is derived from the master key, so every process has the same one and it outlives all
/// changes of the keys that sign tokens.
///
/// Whoever has the master key can sign other heads; those that were exported before still stand against them.
public struct AuditKey: Sendable {
    private let privateKey: P256.Signing.PrivateKey
    /// What exported heads can be verified with, also by others.
    public let publicKey: PublicJWK

    public init(masterKey: MasterKey) {
        let material = masterKey.key(for: .auditHead)
        var counter: UInt8 = 0
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

    /// `head` as a compact JWS with `typ` `nightlatch-audit-head+jwt`.
    ///
    /// - Throws: What the cryptographic library throws: a defect.
    public func sign(_ head: AuditHead, at time: NumericDate) throws -> String {
        let unsigned = UnsignedJWS(
            AuditHeadClaims(issuedAt: time, head: head), algorithm: .es256, keyID: publicKey.thumbprint)
        return unsigned.signed(try privateKey.signature(for: unsigned.signingInput).rawRepresentation)
    }
}
