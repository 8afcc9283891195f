import NightlatchWire

/// The exchanges of a login in a browser.
extension ExchangeReading {
    static func browser(_ exchange: Exchange) -> Self? {
        if exchange.path == DemoShop.authorizationPath { return authorization(exchange) }
        guard exchange.asksForLogin, let user = exchange.form?["user"] else { return nil }
        return Self("Login page asks the phones of \(user)", ["User": user])
    }

    private static func authorization(_ exchange: Exchange) -> Self? {
        guard let app = exchange.query["client_id"], let redirect = exchange.query["redirect_uri"] else { return nil }
        return Self(
            "The shop sends a browser to log in",
            [
                "App": app, "Redirect URI": redirect, "Scope": exchange.query["scope"] ?? "none",
                "PKCE challenge": short(exchange.query["code_challenge"] ?? "none"),
                "Nonce": short(exchange.query["nonce"] ?? "none"),
            ])
    }

    static func remoteLogins(_ exchange: Exchange) -> Self? {
        guard let list: RemoteLoginNoticeList = exchange.answer() else { return nil }
        return Self(
            "Device asks for logins that wait", ["Waiting": String(list.logins.count)],
            .protectedRoute, proof(of: exchange).map { [5: $0] } ?? [:])
    }

    static func claimedLogin(_ exchange: Exchange) -> Self? {
        guard let notice: RemoteLoginNotice = exchange.answer() else { return nil }
        return Self(
            "Device has scanned the code of a login page",
            [
                "App": "\(notice.details.app) (\(notice.details.client))",
                "Place of the browser": notice.details.place?.rawValue ?? "none",
                "Number": "the server does not tell it to the device",
            ],
            .protectedRoute, proof(of: exchange).map { [5: $0] } ?? [:])
    }

    static func loginDecision(_ exchange: Exchange) -> Self? {
        guard let answer: RemoteLoginAnswer = exchange.message(), let result: RemoteLoginResult = exchange.answer(),
            let (message, claims) = read(answer.message, as: RemoteLoginClaims.self)
        else { return nil }
        let headline =
            switch result.state {
            case .numberWrong: "Wrong number: the login has ended"
            default: "Login in a browser \(result.state.rawValue)"
            }
        return Self(
            headline,
            ["Decision": claims.decision.rawValue, "Hash of the details": short(claims.detailsHash.rawValue)],
            .remoteLogin,
            [
                2: "typ \(message.header.type.rawValue)", 3: "alg \(message.header.algorithm.rawValue)",
                4: "kid \(short(message.header.keyID?.rawValue ?? ""))",
                6: "sub \(claims.subject), challenge \(short(claims.challenge.rawValue))",
                7: "exp − iat = \(seconds(claims.expiresAt - claims.issuedAt))",
                9: "details_hash \(short(claims.detailsHash.rawValue)), number \(claims.number?.rawValue ?? "none")",
            ])
    }

    static func code(_ exchange: Exchange) -> Self? {
        guard let code = exchange.form?["code"], let verifier = exchange.form?["code_verifier"],
            let tokens: JSONValue = exchange.answer(), let token = tokens["id_token"]?.string
        else { return nil }
        return Self(
            "The shop gets an ID token",
            [
                "Code": fingerprint(code) + ", used up", "PKCE verifier": fingerprint(verifier),
                "ID token": fingerprint(token),
            ])
    }
}
