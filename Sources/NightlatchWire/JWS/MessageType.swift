/// The purpose of a signed message, the `typ` of its header.
///
/// Each kind has its own value. A receiver accepts no other, so a message that was signed for one purpose cannot serve
/// another ([RFC 8725, section 3.11](https://www.rfc-editor.org/rfc/rfc8725#section-3.11)).
public enum MessageType: String, Codable, Hashable, Sendable, CaseIterable {
    /// A device key asks to be bound to a user: ``BindingClaims``.
    case binding = "nightlatch-binding+jwt"
    /// A bound device key logs its user in: ``LoginClaims``.
    case login = "nightlatch-login+jwt"
    /// A bound device key signs its user's decision on a transaction: ``DecisionClaims``.
    case transaction = "nightlatch-transaction+jwt"
    /// A bound device key signs its user's decision on a login elsewhere: ``RemoteLoginClaims``.
    case remoteLogin = "nightlatch-remote-login+jwt"
    /// A possession key vouches for one HTTP request: ``DPoPClaims``.
    case dpop = "dpop+jwt"
    /// The relying party states who the caller is: ``AccessTokenClaims``.
    case accessToken = "at+jwt"
    /// The relying party tells an app which user has logged in
    /// ([OpenID Connect Core, section 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)).
    case idToken = "JWT"
    /// A relying party states the current end of its audit log.
    case auditHead = "nightlatch-audit-head+jwt"
    /// A relying party states that its operator accepts a restored store.
    case auditRestore = "nightlatch-audit-restore+jwt"
    /// A possession key asks for the state of the device's two-party PIN: ``PinInquiry``.
    case pinStanding = "nightlatch-pin-standing+jwt"
    /// A key of the device opens an epoch of its two-party PIN: ``PinOpening``.
    case pinOpening = "nightlatch-pin-opening+jwt"
    /// A possession key spends a guess: ``PinGuess``.
    case pinGuess = "nightlatch-pin-guess+jwt"
    /// A knowledge key proves that the PIN was right: ``PinProof``.
    case pinProof = "nightlatch-pin-proof+jwt"
    /// The key that opened an epoch makes it the current one: ``PinPromotion``.
    case pinPromotion = "nightlatch-pin-promotion+jwt"
    /// A new knowledge key introduces itself: ``PinCandidacy``.
    case pinCandidacy = "nightlatch-pin-candidacy+jwt"
    /// The key that opened an epoch abandons it: ``PinAbandonment``.
    case pinAbandonment = "nightlatch-pin-abandonment+jwt"
    /// The relying party's signed answer to a request about a two-party PIN: ``PinAnswerClaims``.
    case pinAnswer = "nightlatch-pin-answer+jwt"
    /// The relying party states the policy of a user at an app: ``PolicyClaims``.
    case policy = "nightlatch-policy+jwt"
}
