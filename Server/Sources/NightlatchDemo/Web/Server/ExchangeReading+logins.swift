import NightlatchWire

extension ExchangeReading {
    static func beginLogin(_ exchange: Exchange) -> Self? {
        guard let request: LoginRequest = exchange.message(), let challenge: LoginChallenge = exchange.answer()
        else { return nil }
        return Self(
            "Challenge for a login",
            [
                "User": request.user.rawValue, "Challenge": short(challenge.challenge.rawValue),
                "Handle": sealed(challenge.handle),
            ])
    }

    static func tokens(_ exchange: Exchange) -> Self? {
        guard let request = exchange.tokenRequest, let grant: TokenGrant = exchange.answer() else { return nil }
        let tokens: KeyValuePairs = [
            "Access token": fingerprint(grant.accessToken.rawValue) + ", valid for \(grant.expiresInSeconds) s",
            "Refresh token": fingerprint(grant.refreshToken.rawValue),
        ]
        let proof = proof(of: exchange)
        switch request {
        case .login(let assertion, _, _):
            guard let (message, claims) = read(assertion, as: LoginClaims.self) else { return nil }
            return Self(
                "Login verified", tokens,
                .login,
                [
                    2: "typ \(message.header.type.rawValue)", 3: "alg \(message.header.algorithm.rawValue)",
                    4: "kid \(short(message.header.keyID?.rawValue ?? ""))",
                    5: "user_verification \(claims.userVerification?.rawValue ?? "none")",
                    6: "aud \(claims.audience), sub \(claims.subject), challenge \(short(claims.challenge.rawValue))",
                    7: "exp − iat = \(seconds(claims.expiresAt - claims.issuedAt))", 9: proof ?? "",
                ])
        case .refresh(let token, _):
            return Self(
                "Session renewed", tokens,
                .refresh, [2: proof ?? "", 3: fingerprint(token.rawValue)])
        }
    }
}
