import NightlatchTokenVerification
public import NightlatchWire

/// An ``AuditHead`` that was exported, read back and verified.
public struct ExportedAuditHead: Hashable, Sendable {
    public let head: AuditHead
    public let issuer: Issuer
    public let issuedAt: NumericDate

    /// Why a line is no head of this log.
    public enum Refusal: Error, Hashable, Sendable {
        case malformed(JWSError)
        /// Another key signed it, or it was changed.
        case wrongSignature
    }

    /// Reads a line of an export.
    ///
    /// - Parameters:
    ///   - line: A compact JWS.
    ///   - key: ``AuditKey/publicKey``.
    public init(_ line: String, signedBy key: PublicJWK) throws(Refusal) {
        let claims: AuditHeadClaims
        do {
            let jws = try CompactJWS(line)
            guard jws.isSigned(by: key) else { throw Refusal.wrongSignature }
            claims = try jws.claims()
        } catch let error as JWSError {
            throw .malformed(error)
        } catch {
            throw .wrongSignature
        }
        head = claims.head
        issuer = claims.issuer
        issuedAt = claims.issuedAt
    }
}
