/// What a signed message is for, its header's `typ`. Each kind has its own and none is accepted for another, so nothing
/// that was signed for one purpose serves a second ([RFC 8725, section 3.11](https://www.rfc-editor.org/rfc/rfc8725#section-3.11)).
public enum MessageType: String, Codable, Hashable, Sendable, CaseIterable {
    /// A device key asks to be bound to a user: ``BindingClaims``.
    case binding = "nightlatch-binding+jwt"
    /// A bound device key logs its user in: ``LoginClaims``.
    case login = "nightlatch-login+jwt"
    /// A bound device key signs its user's decision on a transaction: ``DecisionClaims``.
    case transaction = "nightlatch-transaction+jwt"
    /// A possession key vouches for one HTTP request: ``DPoPClaims``.
    case dpop = "dpop+jwt"
    /// The relying party's word on who calls: ``AccessTokenClaims``.
    case accessToken = "at+jwt"
    /// A relying party tells how far its audit log has come.
    case auditHead = "nightlatch-audit-head+jwt"
    /// A possession key asks how the device stands with its two-party PIN: ``PinInquiry``.
    case pinStanding = "nightlatch-pin-standing+jwt"
    /// A key of the device has an epoch of its two-party PIN opened: ``PinOpening``.
    case pinOpening = "nightlatch-pin-opening+jwt"
    /// A possession key spends a guess: ``PinGuess``.
    case pinGuess = "nightlatch-pin-guess+jwt"
    /// A knowledge key proves that the PIN was right: ``PinProof``.
    case pinProof = "nightlatch-pin-proof+jwt"
    /// The key that has an epoch opened makes it the current one: ``PinPromotion``.
    case pinPromotion = "nightlatch-pin-promotion+jwt"
    /// A new knowledge key shows itself: ``PinCandidacy``.
    case pinCandidacy = "nightlatch-pin-candidacy+jwt"
    /// The key that has an epoch opened gives it up: ``PinAbandonment``.
    case pinAbandonment = "nightlatch-pin-abandonment+jwt"
    /// The relying party has said so to that request about a two-party PIN: ``PinAnswerClaims``.
    case pinAnswer = "nightlatch-pin-answer+jwt"
}
