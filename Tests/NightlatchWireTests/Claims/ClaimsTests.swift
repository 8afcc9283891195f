import Foundation
import NightlatchWire
import Testing

@Suite("Claims")
struct ClaimsTests {
    private let issuedAt = NumericDate(secondsSince1970: 1_700_000_000)
    private let expiresAt = NumericDate(secondsSince1970: 1_700_000_060)
    private let messageID = "AQEBAQEBAQEBAQEBAQEBAQ"
    private let keyID = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"
    private let challenge = "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM"
    private let deviceID = "04040404040404040404040404040404"

    @Test("The claims of a binding have exactly the documented names")
    func binding() throws {
        let claims = BindingClaims(
            issuer: .default, subject: try id("anna"), audience: try id("https://a.example"), id: try id(messageID),
            issuedAt: issuedAt, expiresAt: expiresAt, challenge: try id(challenge), possessionKey: try id(keyID),
            deviceName: try id("Anna’s phone"))
        try expectSame(
            claims,
            """
            {"aud":"https://a.example","challenge":"\(challenge)","device_name":"Anna’s phone","dpop_jkt":"\(keyID)",\
            "exp":1700000060,"iat":1700000000,"iss":"nightlatch","jti":"\(messageID)","sub":"anna"}
            """)
        #expect(BindingClaims.messageType.rawValue == "nightlatch-binding+jwt")
    }

    @Test("The claims of a login have exactly the documented names")
    func login() throws {
        let claims = LoginClaims(
            issuer: .default, subject: try id("anna"), audience: try id("https://a.example"), id: try id(messageID),
            issuedAt: issuedAt, expiresAt: expiresAt, challenge: try id(challenge), possessionKey: try id(keyID))
        try expectSame(
            claims,
            """
            {"aud":"https://a.example","challenge":"\(challenge)","dpop_jkt":"\(keyID)","exp":1700000060,"iat":1700000000,\
            "iss":"nightlatch","jti":"\(messageID)","sub":"anna"}
            """)
        #expect(LoginClaims.messageType.rawValue == "nightlatch-login+jwt")
    }

    @Test("The claims of a decision have exactly the documented names", arguments: TransactionDecision.allCases)
    func decision(decision: TransactionDecision) throws {
        let claims = DecisionClaims(
            issuer: .default, subject: try id("anna"), audience: try id("https://a.example"), id: try id(messageID),
            issuedAt: issuedAt, expiresAt: expiresAt, challenge: try id(challenge), transaction: try id(deviceID),
            decision: decision, detailsHash: try id(keyID))
        try expectSame(
            claims,
            """
            {"aud":"https://a.example","challenge":"\(challenge)","decision":"\(decision.rawValue)","details_hash":"\(keyID)",\
            "exp":1700000060,"iat":1700000000,"iss":"nightlatch","jti":"\(messageID)","sub":"anna","transaction_id":"\(deviceID)"}
            """)
        #expect(DecisionClaims.messageType.rawValue == "nightlatch-transaction+jwt")
    }

    @Test(
        "The claims of a decision on a remote login have exactly the documented names",
        arguments: TransactionDecision.allCases)
    func remoteLogin(decision: TransactionDecision) throws {
        let claims = RemoteLoginClaims(
            issuer: .default, subject: try id("anna"), audience: try id("https://a.example"), id: try id(messageID),
            issuedAt: issuedAt, expiresAt: expiresAt, challenge: try id(challenge), login: try id(deviceID),
            decision: decision, detailsHash: try id(keyID), number: decision == .confirm ? try id("07") : nil)
        let number = decision == .confirm ? #""number":"07","# : ""
        try expectSame(
            claims,
            """
            {"aud":"https://a.example","challenge":"\(challenge)","decision":"\(decision.rawValue)","details_hash":"\(keyID)",\
            "exp":1700000060,"iat":1700000000,"iss":"nightlatch","jti":"\(messageID)","login_id":"\(deviceID)",\(number)\
            "sub":"anna"}
            """)
        #expect(RemoteLoginClaims.messageType.rawValue == "nightlatch-remote-login+jwt")
    }

    @Test(
        "The claims of a login contain how the vault was opened, and refuse any other value",
        arguments: [
            ("pin", UserVerification.pin), ("two_party_pin", .twoPartyPin), ("biometrics", .biometrics),
            ("recovery_phrase", .recoveryPhrase),
        ])
    func userVerification(text: String, userVerification: UserVerification) throws {
        let claims = LoginClaims(
            issuer: .default, subject: try id("anna"), audience: try id("https://a.example"), id: try id(messageID),
            issuedAt: issuedAt, expiresAt: expiresAt, challenge: try id(challenge), possessionKey: try id(keyID),
            userVerification: userVerification)
        let json = """
            {"aud":"https://a.example","challenge":"\(challenge)","dpop_jkt":"\(keyID)","exp":1700000060,"iat":1700000000,\
            "iss":"nightlatch","jti":"\(messageID)","sub":"anna","user_verification":"\(text)"}
            """
        try expectSame(claims, json)
        #expect(throws: StrictJSONError.unexpectedShape(path: "user_verification")) {
            try StrictJSON.decode(LoginClaims.self, from: Data(json.replacing(text, with: "mind_reading").utf8))
        }
    }

    @Test("An access token names a second factor for PIN and biometrics only")
    func methods() throws {
        func methods(_ userVerification: UserVerification?) -> [String] {
            Authentication(time: issuedAt, userVerification: userVerification).methods.map(\.rawValue)
        }
        #expect(methods(nil) == ["pop"])
        #expect(methods(.pin) == ["pop", "pin", "mfa"])
        #expect(methods(.twoPartyPin) == ["pop", "pin", "mfa"])
        #expect(methods(.biometrics) == ["pop", "user", "mfa"])
        #expect(methods(.recoveryPhrase) == ["pop", "user"])
    }

    @Test("The claims of a DPoP proof have the names of RFC 9449, with ath only for an access token")
    func dpop() throws {
        let url = "https://a.example/oauth/token"
        let plain = DPoPClaims(id: try id(messageID), method: "POST", url: url, issuedAt: issuedAt)
        try expectSame(plain, #"{"htm":"POST","htu":"\#(url)","iat":1700000000,"jti":"\#(messageID)"}"#)
        let bound = DPoPClaims(
            id: try id(messageID), method: "GET", url: url, issuedAt: issuedAt, accessTokenHash: try id(keyID))
        try expectSame(
            bound, #"{"ath":"\#(keyID)","htm":"GET","htu":"\#(url)","iat":1700000000,"jti":"\#(messageID)"}"#)
        let fresh = DPoPClaims(
            id: try id(messageID), method: "POST", url: url, issuedAt: issuedAt, nonce: try id("n-1"))
        try expectSame(
            fresh, #"{"htm":"POST","htu":"\#(url)","iat":1700000000,"jti":"\#(messageID)","nonce":"n-1"}"#)
        #expect(DPoPClaims.messageType.rawValue == "dpop+jwt")
    }

    @Test("The claims of an access token have the names of RFC 9068, and the possession key of RFC 9449")
    func accessToken() throws {
        let claims = AccessTokenClaims(
            issuer: try id("https://a.example"), subject: try id("anna"), audience: try id("https://a.example"),
            clientID: .default, id: try id(messageID), issuedAt: issuedAt, expiresAt: expiresAt,
            device: try id(deviceID), session: try id(messageID),
            authentication: Authentication(time: issuedAt, userVerification: .pin), possessionKey: try id(keyID))
        try expectSame(
            claims,
            """
            {"acr":"phr","amr":["pop","pin","mfa"],"aud":"https://a.example","auth_time":1700000000,\
            "client_id":"nightlatch","cnf":{"jkt":"\(keyID)"},"device_id":"\(deviceID)","exp":1700000060,\
            "iat":1700000000,"iss":"https://a.example","jti":"\(messageID)","sid":"\(messageID)","sub":"anna"}
            """)
        #expect(AccessTokenClaims.messageType.rawValue == "at+jwt")
    }

    @Test("Claims get a new message id every time")
    func messageIDs() throws {
        let user: UserID = try id("anna")
        let ids = try (0..<100).map { _ in
            LoginClaims(
                issuer: .default, subject: user, audience: try id("https://a.example"), issuedAt: issuedAt,
                expiresAt: expiresAt, challenge: try id(challenge), possessionKey: try id(keyID)
            ).id
        }
        #expect(Set(ids).count == 100)
    }

    private func id<Rule: IdentifierRule>(_ text: String) throws -> Identifier<Rule> {
        try #require(Identifier(rawValue: text))
    }
}

/// Expects that `value` is encoded as `json`, and `json` decoded as `value`.
func expectSame<Value: Codable & Equatable>(_ value: Value, _ json: String) throws {
    #expect(String(decoding: StrictJSON.encode(value), as: UTF8.self) == json)
    #expect(try StrictJSON.decode(Value.self, from: Data(json.utf8)) == value)
}
