import NightlatchWire
import Testing

@Suite("Token requests")
struct TokenRequestTests {
    private static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    @Test("A login request has the fields of RFC 7523 and the challenge's handle")
    func login() throws {
        let handle = try #require(ChallengeHandle(rawValue: "c2VhbGVk"))
        let request = TokenRequest.login(assertion: "a.b.c", handle: handle)
        let fields = ["grant_type": Self.jwtBearer, "assertion": "a.b.c", "challenge_handle": "c2VhbGVk"]
        #expect(request.fields == fields)
        #expect(try TokenRequest(fields: fields) == request)
        #expect(try TokenRequest(fields: fields.merging(["scope": "x"]) { $1 }) == request)
    }

    @Test("A refresh request has the fields of RFC 6749")
    func refresh() throws {
        let token = try #require(RefreshToken(rawValue: "r-1"))
        let fields = ["grant_type": "refresh_token", "refresh_token": "r-1"]
        #expect(TokenRequest.refresh(token).fields == fields)
        #expect(try TokenRequest(fields: fields) == .refresh(token))
    }

    @Test("A device that knows policies adds the revision of its own")
    func policyRevision() throws {
        let token = try #require(RefreshToken(rawValue: "r-1"))
        let handle = try #require(ChallengeHandle(rawValue: "c2VhbGVk"))
        let revision = try #require(PolicyRevision(rawValue: 1_800_000_000))
        for request in [
            TokenRequest.refresh(token, policy: revision), .refresh(token, policy: .first),
            .login(assertion: "a.b.c", handle: handle, policy: revision),
        ] {
            #expect(try TokenRequest(fields: request.fields) == request)
        }
        #expect(TokenRequest.refresh(token, policy: revision).fields["policy_revision"] == "1800000000")
    }

    @Test(
        "A request with a missing or malformed field is an invalid request",
        arguments: [
            ["grant_type": "refresh_token", "refresh_token": "r", "policy_revision": "-1"],
            ["grant_type": "refresh_token", "refresh_token": "r", "policy_revision": "01"],
            ["grant_type": "refresh_token", "refresh_token": "r", "policy_revision": "9007199254740992"],
            [:], ["refresh_token": "r"], ["grant_type": "refresh_token"],
            ["grant_type": "refresh_token", "refresh_token": ""],
            ["grant_type": "refresh_token", "refresh_token": "a b"],
            ["grant_type": jwtBearer], ["grant_type": jwtBearer, "assertion": "a.b.c"],
            ["grant_type": jwtBearer, "challenge_handle": "c2VhbGVk"],
            ["grant_type": jwtBearer, "assertion": "a.b.c", "challenge_handle": "c2VhbGVk="],
        ]
    )
    func malformed(fields: [String: String]) {
        expect(.invalidRequest, for: fields)
    }

    @Test(
        "A request of another grant type is refused",
        arguments: ["", "password", "authorization_code", "client_credentials", "Refresh_Token", jwtBearer + " "]
    )
    func otherGrants(grant: String) {
        expect(.unsupportedGrantType, for: ["grant_type": grant, "refresh_token": "r", "assertion": "a"])
    }

    private func expect(_ word: OAuthError.Word, for fields: [String: String]) {
        #expect {
            try TokenRequest(fields: fields)
        } throws: { error in
            let error = error as? OAuthError
            return error?.error == word && error?.code == .malformedRequest
        }
    }
}
