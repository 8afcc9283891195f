import Foundation
import NightlatchWire
import Testing

@Suite("Messages")
struct MessageTests {
    private let user: UserID
    private let device: DeviceID
    private let key: KeyID
    private let challenge: Challenge
    private let handle: ChallengeHandle
    private let code: EnrolmentCode
    private let date = NumericDate(secondsSince1970: 1_700_000_000)

    private let deviceText = "04040404040404040404040404040404"
    private let keyText = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"

    init() throws {
        user = try #require(UserID(rawValue: "anna"))
        device = try #require(DeviceID(rawValue: deviceText))
        key = try #require(KeyID(rawValue: keyText))
        challenge = try #require(Challenge(rawValue: keyText))
        handle = try #require(ChallengeHandle(rawValue: "c2VhbGVk"))
        code = .random()
    }

    @Test("Messages of enrolment have exactly the documented names")
    func enrolment() throws {
        try expectSame(EnrolmentCodeRequest(user: user), #"{"user":"anna"}"#)
        try expectSame(
            EnrolmentCodeGrant(user: user, code: code, expiresAt: date),
            #"{"code":"\#(code.groupedText)","expires_at":1700000000,"user":"anna"}"#)
    }

    @Test("Messages of binding have exactly the documented names")
    func binding() throws {
        try expectSame(
            BindingRequest(enrolmentCode: code, deviceKey: key),
            #"{"device_key":"\#(keyText)","enrolment_code":"\#(code.groupedText)"}"#)
        try expectSame(
            BindingChallenge(user: user, challenge: challenge, handle: handle, issuedAt: date, expiresAt: date),
            #"{"challenge":"\#(keyText)","expires_at":1700000000,"handle":"c2VhbGVk","issued_at":1700000000,"user":"anna"}"#
        )
        try expectSame(BindingAnswer(handle: handle, message: "a.b.c"), #"{"handle":"c2VhbGVk","message":"a.b.c"}"#)
        try expectSame(BindingResult(user: user, device: device), #"{"device":"\#(deviceText)","user":"anna"}"#)
    }

    @Test("Messages of login have exactly the documented names")
    func login() throws {
        try expectSame(LoginRequest(user: user, device: nil), #"{"user":"anna"}"#)
        try expectSame(LoginRequest(user: user, device: device), #"{"device":"\#(deviceText)","user":"anna"}"#)
        try expectSame(
            LoginChallenge(challenge: challenge, handle: handle, issuedAt: date, expiresAt: date),
            #"{"challenge":"\#(keyText)","expires_at":1700000000,"handle":"c2VhbGVk","issued_at":1700000000}"#)
    }

    @Test("A list of devices has exactly the documented names, and omits the time of a missing login")
    func devices() throws {
        let name = try #require(DeviceName(rawValue: "Anna’s phone"))
        let active = DeviceSummary(
            id: device, name: name, boundAt: date, lastLoginAt: date + .seconds(1), status: .active, isCurrent: true)
        let revoked = DeviceSummary(
            id: device, name: name, boundAt: date, lastLoginAt: nil, status: .revoked, isCurrent: false)
        let activeText = """
            {"bound_at":1700000000,"current":true,"id":"\(deviceText)","last_login_at":1700000001,"name":"Anna’s phone",\
            "status":"active"}
            """
        let revokedText = """
            {"bound_at":1700000000,"current":false,"id":"\(deviceText)","name":"Anna’s phone","status":"revoked"}
            """
        try expectSame(active, activeText)
        try expectSame(DeviceList(devices: [active, revoked]), #"{"devices":[\#(activeText),\#(revokedText)]}"#)
        try expectSame(DeviceList(devices: []), #"{"devices":[]}"#)
        try expectSame(RenameDeviceRequest(name: name), #"{"name":"Anna’s phone"}"#)
    }

    @Test("A list of devices may contain an unknown status, which is different from the known ones")
    func unknownStatus() throws {
        let name = try #require(DeviceName(rawValue: "x"))
        let status = DeviceSummary.Status(rawValue: "suspended")
        try expectSame(
            DeviceSummary(
                id: device, name: name, boundAt: date, lastLoginAt: nil, status: status, isCurrent: false),
            """
            {"bound_at":1700000000,"current":false,"id":"\(deviceText)","name":"x","status":"suspended"}
            """)
        #expect(status != .active && status != .revoked)
    }

    @Test("A token grant has exactly the names of RFC 6749")
    func tokenGrant() throws {
        let access = try #require(AccessToken(rawValue: "a.b.c"))
        let refresh = try #require(RefreshToken(rawValue: "r"))
        try expectSame(
            TokenGrant(accessToken: access, expiresInSeconds: 300, refreshToken: refresh),
            #"{"access_token":"a.b.c","expires_in":300,"refresh_token":"r","token_type":"DPoP"}"#)
    }

    @Test("A grant of a token without a key is refused")
    func bearerGrant() {
        let grant = #"{"access_token":"a","expires_in":300,"refresh_token":"r","token_type":"Bearer"}"#
        #expect(throws: StrictJSONError.unexpectedShape(path: "token_type")) {
            try StrictJSON.decode(TokenGrant.self, from: Data(grant.utf8))
        }
    }

    @Test("An introspection has exactly the names of RFC 7662, and no details for an inactive token")
    func introspection() throws {
        let issuer = try #require(Issuer(rawValue: "https://a.example"))
        let id = try #require(MessageID(rawValue: "AQEBAQEBAQEBAQEBAQEBAQ"))
        let session = try #require(SessionID(rawValue: "AgICAgICAgICAgICAgICAg"))
        let login = Authentication(time: date, userVerification: .biometrics)
        let claims = AccessTokenClaims(
            issuer: issuer, subject: user, audience: issuer, clientID: .default, id: id, issuedAt: date,
            expiresAt: date, device: device, session: session, authentication: login, possessionKey: key)
        try expectSame(
            TokenIntrospection(TokenIntrospection.Details(claims)),
            """
            {"acr":"phr","active":true,"amr":["pop","user","mfa"],"aud":"https://a.example","auth_time":1700000000,\
            "client_id":"nightlatch","cnf":{"jkt":"\(keyText)"},"device_id":"\(deviceText)","exp":1700000000,\
            "iat":1700000000,"iss":"https://a.example","jti":"\(id.rawValue)","sid":"\(session.rawValue)","sub":"anna",\
            "token_type":"DPoP"}
            """)
        let refresh = TokenIntrospection.Details(
            issuer: issuer, subject: user, clientID: .default, device: device, session: session, expiresAt: date,
            authentication: login, possessionKey: key)
        try expectSame(
            TokenIntrospection(refresh),
            """
            {"acr":"phr","active":true,"amr":["pop","user","mfa"],"auth_time":1700000000,"client_id":"nightlatch",\
            "cnf":{"jkt":"\(keyText)"},"device_id":"\(deviceText)","exp":1700000000,"iss":"https://a.example",\
            "sid":"\(session.rawValue)","sub":"anna"}
            """)
        try expectSame(TokenIntrospection(nil), #"{"active":false}"#)
        #expect(throws: StrictJSONError.self) {
            try StrictJSON.decode(TokenIntrospection.self, from: Data(#"{"active":true}"#.utf8))
        }
    }

    @Test("A presented token has the names of RFC 7009, and a form without a token is refused")
    func presentedToken() throws {
        let access = PresentedToken.access(try #require(AccessToken(rawValue: "a")))
        let refresh = PresentedToken.refresh(try #require(RefreshToken(rawValue: "r")))
        #expect(access.fields == ["token": "a", "token_type_hint": "access_token"])
        #expect(refresh.fields == ["token": "r", "token_type_hint": "refresh_token"])
        #expect(try PresentedToken.text(in: refresh.fields) == "r")
        for fields in [[:], ["token": ""], ["token_type_hint": "refresh_token"]] {
            #expect(throws: OAuthError.self) { try PresentedToken.text(in: fields) }
        }
    }

    @Test("Password messages have exactly the documented names, and refuse empty, long and control texts")
    func credentials() throws {
        let password = try #require(Password(rawValue: "correct horse ✓"))
        try expectSame(
            Credentials(user: user, password: password), #"{"password":"correct horse ✓","user":"anna"}"#)
        try expectSame(CredentialsResult(user: user), #"{"user":"anna"}"#)
        for text in ["", "a\nb", "a\u{0}", "\u{7F}", String(repeating: "x", count: 257)] {
            #expect(Password(rawValue: text) == nil)
        }
        #expect(Password(rawValue: String(repeating: "x", count: 256)) != nil)
    }

    @Test("A health message has one word")
    func health() throws {
        try expectSame(Health(status: .ok), #"{"status":"ok"}"#)
    }

    @Test("Unknown members are ignored, so that later versions may add some")
    func unknownMembers() throws {
        let text = #"{"user":"anna","device":"\#(deviceText)","later":{"a":[1]}}"#
        #expect(
            try StrictJSON.decode(BindingResult.self, from: Data(text.utf8))
                == BindingResult(user: user, device: device))
    }
}
