import NightlatchWire

/// The exchanges that bind and revoke devices.
extension ExchangeReading {
    static func enrolment(_ exchange: Exchange) -> Self? {
        guard let grant: EnrolmentCodeGrant = exchange.answer() else { return nil }
        return Self(
            "One-time code for \(grant.user)",
            [
                "Code": "\(EnrolmentCode.bitCount) random bits; the server keeps a MAC of it",
                "Valid until": time(grant.expiresAt),
            ])
    }

    static func password(_ exchange: Exchange) -> Self? {
        guard let result: CredentialsResult = exchange.answer() else { return nil }
        return Self("Password of \(result.user) is set", ["Stored": "an Argon2id hash with its own salt"])
    }

    static func signIn(_ exchange: Exchange) -> Self? {
        guard let grant: EnrolmentCodeGrant = exchange.answer() else { return nil }
        return Self(
            "\(grant.user) has signed in with the password",
            [
                "Answer":
                    "an enrolment code of \(EnrolmentCode.bitCount) random bits, valid until \(time(grant.expiresAt))"
            ])
    }

    static func beginBinding(_ exchange: Exchange) -> Self? {
        guard let request: BindingRequest = exchange.message(), let challenge: BindingChallenge = exchange.answer()
        else { return nil }
        return Self(
            "Challenge for a binding",
            [
                "User": challenge.user.rawValue, "Device key": short(request.deviceKey.rawValue),
                "Challenge": short(challenge.challenge.rawValue), "Handle": sealed(challenge.handle),
            ])
    }

    static func binding(_ exchange: Exchange) -> Self? {
        guard let answer: BindingAnswer = exchange.message(), let result: BindingResult = exchange.answer(),
            let (message, claims) = read(answer.message, as: BindingClaims.self)
        else { return nil }
        return Self(
            "Device bound",
            [
                "User": result.user.rawValue, "Device": short(result.device.rawValue),
                "Named": claims.deviceName.rawValue,
            ],
            .binding,
            [
                2: "typ \(message.header.type.rawValue)",
                4: "thumbprint \(short(message.header.key?.thumbprint.rawValue ?? ""))",
                5: "alg \(message.header.algorithm.rawValue)",
                7: "aud \(claims.audience), sub \(claims.subject), challenge \(short(claims.challenge.rawValue))",
                8: "exp − iat = \(seconds(claims.expiresAt - claims.issuedAt))",
            ])
    }

    static func revocation(_ exchange: Exchange) -> Self? {
        guard let device: DeviceSummary = exchange.answer() else { return nil }
        return Self(
            "Device revoked", ["Device": short(device.id.rawValue), "Status": device.status.rawValue],
            .protectedRoute, proof(of: exchange).map { [5: $0] } ?? [:])
    }
}
