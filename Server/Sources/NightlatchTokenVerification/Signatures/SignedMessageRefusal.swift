package import NightlatchWire

/// A refusal with a case for messages that are not of the expected kind.
package protocol SignedMessageRefusal: Error {
    static func malformed(_ error: JWSError) -> Self
}

extension DPoPRefusal: SignedMessageRefusal {}
extension AccessTokenRefusal: SignedMessageRefusal {}

extension CompactJWS {
    /// Parses `text` as a message of `type`.
    package init<Refusal: SignedMessageRefusal>(
        _ text: String,
        of type: MessageType,
        refusal: Refusal.Type
    ) throws(Refusal) {
        do {
            self = try CompactJWS(text)
        } catch {
            throw .malformed(error)
        }
        guard header.type == type else { throw .malformed(.wrongType(header.type)) }
    }

    /// Returns the claims of a message. The caller has verified its signature.
    package func verifiedClaims<Claims: MessageClaims, Refusal: SignedMessageRefusal>(
        refusal: Refusal.Type
    ) throws(Refusal) -> Claims {
        do {
            return try claims()
        } catch {
            throw .malformed(error)
        }
    }
}
