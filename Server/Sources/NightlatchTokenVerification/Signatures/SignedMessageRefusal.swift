package import NightlatchWire

/// A refusal that can say that the message was none of its kind at all.
package protocol SignedMessageRefusal: Error {
    static func malformed(_ error: JWSError) -> Self
}

extension DPoPRefusal: SignedMessageRefusal {}
extension AccessTokenRefusal: SignedMessageRefusal {}

extension CompactJWS {
    /// Reads `text` as a message of `type`.
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

    /// The claims of a message whose signature was checked.
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
