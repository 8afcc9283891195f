/// The verification steps of a relying party, in the order and with the numbers of docs/protocol.md. A request that was
/// accepted has passed all steps of its ceremony.
package enum VerifiedSteps: CaseIterable, Sendable {
    case binding, login, refresh, protectedRoute, decision, remoteLogin

    /// The heading of the steps in docs/protocol.md.
    package var heading: String {
        switch self {
        case .binding: "Binding"
        case .login: "Login"
        case .refresh: "Tokens"
        case .protectedRoute: "Protected routes"
        case .decision: "Transactions"
        case .remoteLogin: "Remote logins"
        }
    }

    /// The steps. The first has number 1.
    package var texts: [String] {
        switch self {
        case .binding:
            [
                "This server sealed the handle for a binding, and it has not expired",
                "A compact JWS of a binding’s type, without critical extensions",
                "Its header contains the key itself, and no key id",
                "The key is the one from the begin request",
                "The signature is by that key",
                "The claims are read, strictly",
                "Audience, app, user and challenge are the right ones",
                "It is valid for at most 60 seconds, and valid now",
                "In one transaction: challenge and code are used up, the device is created",
            ]
        case .login:
            [
                "This server sealed the handle for a login, and it has not expired",
                "A compact JWS of a login’s type, without critical extensions",
                "The signature is by the bound device key",
                "The header has that key’s id, and no key",
                "The claims are read, strictly",
                "Audience, app, user and challenge are the right ones",
                "It is valid for at most 60 seconds, and valid now",
                "The device is not revoked, replaced or blocked",
                "The DPoP proof is by the possession key in the login message",
                "The server accepts the way in which the vault was opened",
                "In one transaction: the challenge is used up, a family of refresh tokens begins",
            ]
        case .refresh:
            [
                "The form is read",
                "The DPoP proof holds for this request",
                "The refresh token has the form of this server’s tokens",
                "In one transaction: it is the family’s last token, with the family’s key; a new token replaces it",
                "Tokens are issued for the family’s device, user and key",
            ]
        case .protectedRoute:
            [
                "The access token is a compact JWS of its type",
                "Its key id names a key of this server",
                "The signature is by that key",
                "The claims are read, strictly; it has not expired",
                "The DPoP proof holds for this request, by the token’s key",
                "The login has not ended, and the device is not revoked, replaced or blocked",
            ]
        case .decision:
            [
                "This server sealed the handle for this transaction, and it has not expired",
                "A compact JWS of a decision’s type, without critical extensions",
                "The signature is by the bound device key",
                "The header has that key’s id, and no key",
                "The claims are read, strictly",
                "Audience, app, user, challenge and transaction are the right ones",
                "It is valid for at most 60 seconds, and valid now",
                "The device is not revoked, replaced or blocked",
                "In one transaction: it is pending, the signed details are the backend’s, and the decision is recorded",
            ]
        case .remoteLogin:
            [
                "This server sealed the handle for this login, and it has not expired",
                "A compact JWS of a login decision’s type, without critical extensions",
                "The signature is by the bound device key",
                "The header has that key’s id, and no key",
                "The claims are read, strictly",
                "Audience, app, user, challenge and login are the right ones",
                "It is valid for at most 60 seconds, and valid now",
                "The device is not revoked, replaced or blocked",
                "In one transaction: it is pending, the signed details are the server’s, the number is compared, and the "
                    + "decision is recorded",
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
