import NightlatchWire
import Testing

@Suite("Secrets")
struct SecrecyTests {
    private static let secret = "c2VjcmV0"

    @Test("A secret is in no description, dump or interpolation, alone or inside a message")
    func redaction() throws {
        let access = try #require(AccessToken(rawValue: Self.secret))
        let refresh = try #require(RefreshToken(rawValue: Self.secret))
        let backend = try #require(BackendKey(rawValue: Self.secret))
        let grant = TokenGrant(accessToken: access, expiresInSeconds: 1, refreshToken: refresh)
        let values: [Any] = [
            access, refresh, backend, grant, TokenRequest.refresh(refresh), PresentedToken.access(access),
            PresentedToken.refresh(refresh), try #require(Password(rawValue: Self.secret)),
            Credentials(
                user: try #require(UserID(rawValue: "anna")), password: try #require(Password(rawValue: Self.secret))),
            [access], ["key": backend],
            Optional(access) as Any, (access, refresh),
        ]
        for value in values {
            for text in texts(of: value) { #expect(!text.contains(Self.secret), "\(type(of: value))") }
        }
        #expect("\(access)" == "(access token)")
        #expect("\(refresh)" == "(refresh token)")
        #expect("\(backend)" == "(backend key)")
    }

    @Test("An enrolment code is in no description, alone or inside a message")
    func enrolmentCodeRedaction() throws {
        let code = EnrolmentCode.random()
        let user = try #require(UserID(rawValue: "anna"))
        let values: [Any] = [
            code, [code], EnrolmentCodeGrant(user: user, code: code, expiresAt: NumericDate(secondsSince1970: 0)),
            BindingRequest(enrolmentCode: code, deviceKey: .random()),
        ]
        for value in values {
            for text in texts(of: value) {
                #expect(!text.contains(code.canonicalText) && !text.contains(code.groupedText))
                #expect(!text.contains(code.canonicalText.prefix(4)))
            }
        }
        #expect("\(code)" == "(enrolment code)")
    }

    @Test(
        "An error that refuses a secret does not contain it",
        arguments: [#""c2VjcmV0 c2VjcmV0""#, #""c2VjcmV0\u0000""#])
    func errors(document: String) {
        func check(_ type: (some Decodable).Type) {
            do {
                _ = try StrictJSON.decode(type, from: Array(document.utf8))
                Issue.record("decoded")
            } catch {
                for text in texts(of: error) { #expect(!text.contains(Self.secret)) }
            }
        }
        check(AccessToken.self)
        check(RefreshToken.self)
        check(BackendKey.self)
        check(EnrolmentCode.self)
    }

    @Test("An identifier that is not secret describes itself")
    func plainIdentifiers() throws {
        let user = try #require(UserID(rawValue: "anna"))
        #expect(texts(of: user).allSatisfy { $0.contains("anna") })
    }

    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [String(describing: value), String(reflecting: value), "\(value)", dumped]
    }
}
