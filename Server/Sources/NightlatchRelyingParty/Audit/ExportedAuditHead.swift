import NightlatchTokenVerification
public import NightlatchWire

/// An exported ``AuditHead`` that was read back and verified.
public struct ExportedAuditHead: Hashable, Sendable {
    public let head: AuditHead
    public let issuedAt: NumericDate

    /// The reason why a line is not a head of this log.
    public enum Refusal: Error, Hashable, Sendable {
        /// The line is longer than `CompactJWS/byteCountLimit`.
        case tooLarge
        /// The line is not a compact JWS.
        case malformed
        /// The header requires extensions.
        case criticalExtension
        case invalidHeader(StrictJSONError)
        /// The line is a message of another kind.
        case wrongType(MessageType)
        case invalidClaims(StrictJSONError)
        /// Another key signed the line, or the line was changed.
        case wrongSignature
    }

    /// Parses and verifies one line of an export.
    ///
    /// - Parameters:
    ///   - line: A compact JWS.
    ///   - key: ``AuditKey/publicKey``.
    public init(_ line: String, signedBy key: PublicJWK) throws(Refusal) {
        let claims: AuditHeadClaims = try Self.claims(of: line, signedBy: key)
        head = claims.head
        issuedAt = claims.issuedAt
    }

    /// Parses and verifies one line of a file of heads.
    static func claims<Claims: MessageClaims>(
        of line: String, signedBy key: PublicJWK
    ) throws(Refusal) -> Claims {
        let jws: CompactJWS
        do {
            jws = try CompactJWS(line)
        } catch {
            throw Refusal(error)
        }
        guard jws.isSigned(by: key) else { throw .wrongSignature }
        do {
            return try jws.claims()
        } catch {
            throw Refusal(error)
        }
    }
}

extension ExportedAuditHead.Refusal {
    init(_ error: JWSError) {
        switch error {
        case .tooLarge: self = .tooLarge
        case .malformed: self = .malformed
        case .criticalExtension: self = .criticalExtension
        case .invalidHeader(let error): self = .invalidHeader(error)
        case .wrongType(let type): self = .wrongType(type)
        case .invalidClaims(let error): self = .invalidClaims(error)
        }
    }
}
