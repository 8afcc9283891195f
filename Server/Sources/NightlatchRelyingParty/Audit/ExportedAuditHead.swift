import NightlatchTokenVerification
public import NightlatchWire

/// An exported ``AuditHead`` that was read back and verified.
public struct ExportedAuditHead: Hashable, Sendable {
    public let head: AuditHead
    public let issuedAt: NumericDate

    /// The reason why a line is not a head of this log.
    public enum Refusal: Error, Hashable, Sendable {
        case malformed(JWSError)
        /// Another key signed the line, or the line was changed.
        case wrongSignature
    }

    /// Parses and verifies one line of an export.
    ///
    /// - Parameters:
    ///   - line: A compact JWS.
    ///   - key: ``AuditKey/publicKey``.
    public init(_ line: String, signedBy key: PublicJWK) throws(Refusal) {
        let jws: CompactJWS
        do {
            jws = try CompactJWS(line)
        } catch {
            throw .malformed(error)
        }
        guard jws.isSigned(by: key) else { throw .wrongSignature }
        let claims: AuditHeadClaims
        do {
            claims = try jws.claims()
        } catch {
            throw .malformed(error)
        }
        head = claims.head
        issuedAt = claims.issuedAt
    }
}
