/// The verification steps of a relying party, in the order and with the numbers of docs/protocol.md. A request that was
/// accepted has passed all steps of its ceremony.
package enum VerifiedSteps: CaseIterable, Sendable {
    case binding, login, refresh, protectedRoute, decision

    /// The heading of the steps in docs/protocol.md.
    package var heading: String {
        switch self {
        case .binding: "Binding"
        case .login: "Login"
        case .refresh: "Tokens"
        case .protectedRoute: "Protected routes"
        case .decision: "Transactions"
        }
    }

    /// The steps. The first has number 1.
    package var texts: [String] {
        switch self {
        case .binding:
            [
                "The handle was sealed by this server, for a binding, and lives",
                "A compact JWS of a binding’s type, without critical extensions",
                "Its header carries the key itself, and no key id",
                "The key is the one that was named at begin",
                "The signature is by that key",
                "The claims are read, strictly",
                "Audience, app, user and challenge are the right ones",
                "It lives at most 60 seconds, and is alive",
                "In one transaction: challenge and code are used up, the device is made",
            ]
        case .login:
            [
                "The handle was sealed by this server, for a login, and lives",
                "A compact JWS of a login’s type, without critical extensions",
                "The signature is by the registered device key",
                "The key id is that key’s, and no key comes along",
                "The claims are read, strictly",
                "Audience, app, user and challenge are the right ones",
                "It lives at most 60 seconds, and is alive",
                "The device is not barred",
                "The DPoP proof is by the possession key that the login vouches for",
                "The vault was opened in a way that is taken here",
                "In one transaction: the challenge is used up, a family of refresh tokens begins",
            ]
        case .refresh:
            [
                "The form is read",
                "The DPoP proof holds for this request",
                "The refresh token is of the form of those issued here",
                "In one transaction: it is the family’s last, by the family’s key; a successor takes its place",
                "Tokens are issued, for the family’s own device, user and key",
            ]
        case .protectedRoute:
            [
                "The access token is a compact JWS of its type",
                "Its key id names a key of this server",
                "The signature is by that key",
                "The claims are read, strictly; it has not expired",
                "The DPoP proof holds for this request, by the token’s key",
                "The login lives still, and the device is not barred",
            ]
        case .decision:
            [
                "The handle was sealed by this server, for this transaction, and lives",
                "A compact JWS of a decision’s type, without critical extensions",
                "The signature is by the registered device key",
                "The key id is that key’s, and no key comes along",
                "The claims are read, strictly",
                "Audience, app, user, challenge and transaction are the right ones",
                "It lives at most 60 seconds, and is alive",
                "The device is not barred",
                "In one transaction: it is pending, what was signed is what the backend meant, and is recorded",
            ]
        }
    }

    /// Returns the steps with the values that were checked.
    ///
    /// - Parameter evidence: The values that were checked, by step number.
    func steps(_ evidence: [Int: String]) -> [ServerEvent.Step] {
        texts.enumerated().map { index, text in
            ServerEvent.Step(number: index + 1, text: text, evidence: evidence[index + 1])
        }
    }
}
