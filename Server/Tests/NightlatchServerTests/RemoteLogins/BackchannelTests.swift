import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("A backend asks for a login by CIBA")
struct BackchannelTests {
    private static let grantType = "urn:openid:params:grant-type:ciba"

    @Test(
        "The backend polls until the user confirms, and then gets tokens once",
        arguments: StoreKind.allCases, ["/oauth/bc-authorize", "/am/oauth2/realms/root/bc-authorize"])
    func wholeFlow(kind: StoreKind, path: String) async throws {
        try await OpenIDParty.with(kind) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let asked = try await party.ask(["binding_message": "Order 7, 12 EUR"], path: path)
            #expect(asked.status == .ok && asked.headers[.cacheControl] == "no-store")
            let receipt = try asked.json()
            #expect(receipt["expires_in"] == .integer(180) && receipt["interval"] == .integer(5))
            let id = try receipt.text("auth_req_id")
            #expect(try await party.poll(id).oauthError == "authorization_pending")

            let logins = try await party.caller.remoteLogins(phone).logins
            #expect(logins.map(\.details.message?.rawValue) == ["Order 7, 12 EUR"])
            #expect(logins.allSatisfy { $0.details.place == nil && !$0.details.hasNumber })
            #expect(try await party.caller.confirmRemoteLogin(phone) == .confirmed)

            let response = try await party.poll(id)
            #expect(response.status == .ok, "\(response.text)")
            let tokens = try response.json()
            let claims = try await party.claims(of: tokens.text("id_token"), type: "JWT")
            #expect(try claims.text("sub") == "alice" && claims.text("aud") == "server")
            #expect(try claims.text("acr") == "urn:nightlatch:remote-login")
            let user = try await party.userInformation(tokens.text("access_token"))
            #expect(try user.json().text("sub") == "alice")
            let refreshed = try await party.token(
                ["grant_type": "refresh_token", "refresh_token": tokens.text("refresh_token")],
                headers: OpenIDParty.basic("server", OpenIDParty.secret))
            #expect(refreshed.status == .ok)
            #expect(try await party.poll(id).oauthError == "invalid_grant")
        }
    }

    @Test("The backend is told that the user rejected the request, and that it expired")
    func ended() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let rejected = try await party.ask().json().text("auth_req_id")
            let notice = try #require(try await party.caller.remoteLogins(phone).logins.first)
            let answer = try await party.caller.answer(.reject, to: notice, phone)
            _ = try await party.caller.finishRemoteLogin(answer).message(RemoteLoginResult.self)
            #expect(try await party.poll(rejected).oauthError == "access_denied")

            // An app that could shorten the life could ask more often.
            let brief = try await party.ask(["requested_expiry": "1"]).json()
            #expect(brief["expires_in"] == .integer(180))
            let expired = try brief.text("auth_req_id")
            for seconds in [181, 241] {
                try await TestTime.after(.seconds(seconds)) {
                    let word = try await party.poll(expired).oauthError
                    #expect(word == "expired_token")
                }
            }
        }
    }

    @Test(
        "A request that breaks a rule is refused with the word of the specification, and no device sees it",
        arguments: [
            (["login_hint": nil], "invalid_request"), (["login_hint": "nobody"], "unknown_user_id"),
            (["login_hint": " "], "unknown_user_id"), (["id_token_hint": "x"], "invalid_request"),
            (["login_hint_token": "x"], "invalid_request"), (["request": "x"], "invalid_request"),
            (["scope": "profile"], "invalid_scope"), (["scope": nil], "invalid_scope"),
            (["binding_message": ""], "invalid_binding_message"),
            (["binding_message": "a\u{202E}b"], "invalid_binding_message"),
            (["binding_message": String(repeating: "a", count: 141)], "invalid_binding_message"),
        ] as [([String: String?], String)])
    func refused(changes: [String: String?], word: String) async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let response = try await party.ask(changes)
            #expect(try response.status == .badRequest && response.oauthError == word)
            #expect(try await party.caller.remoteLogins(phone).logins.isEmpty)
        }
    }

    @Test("An app without credentials may not ask, and wrong credentials are refused")
    func credentials() async throws {
        try await OpenIDParty.with { party in
            let fields = ["scope": "openid", "login_hint": "alice", "client_id": "public"]
            #expect(try await party.post(fields, to: "/oauth/bc-authorize").oauthError == "unauthorized_client")
            let wrong = try await party.post(
                ["scope": "openid", "login_hint": "alice"], to: "/oauth/bc-authorize",
                headers: OpenIDParty.basic("server", "wrong"))
            #expect(try wrong.status == .unauthorized && wrong.oauthError == "invalid_client")
        }
    }

    @Test(
        "The fourth open request for a user is refused until the first expires, and strangers do not use up the limit")
    func limit() async throws {
        try await OpenIDParty.with { party in
            for _ in 0..<3 {
                let asked = try await party.ask()
                #expect(asked.status == .ok)
            }
            let refused = try await party.ask()
            #expect(try refused.status == .tooManyRequests && refused.oauthError == "temporarily_unavailable")
            #expect(refused.headers[.retryAfter] == "180")
            try await TestTime.after(.seconds(181)) {
                let later = try await party.ask()
                #expect(later.status == .ok)
            }
        }
    }

    @Test("Another app cannot poll with the id, and a changed id is unknown", arguments: ["other app", "changed", ""])
    func stolenID(kind: String) async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let id = try await party.ask().json().text("auth_req_id")
            #expect(try await party.caller.confirmRemoteLogin(phone) == .confirmed)
            let fields = ["grant_type": Self.grantType, "auth_req_id": kind == "changed" ? "A" + id.dropFirst() : id]
            let response =
                switch kind {
                case "other app": try await party.token(fields.merging(["client_id": "public"]) { $1 })
                case "changed": try await party.poll("A" + id.dropFirst())
                default: try await party.poll(nil)
                }
            #expect(try response.status == .badRequest && response.oauthError == "invalid_grant")
            #expect(try await party.poll(id).status == .ok)
        }
    }

    @Test("A confirmed request gives nothing after its device was revoked")
    func revokedDevice() async throws {
        try await OpenIDParty.with { party in
            let alice = try Fixture.alice()
            let phone = try await party.caller.newSession(of: alice)
            let id = try await party.ask().json().text("auth_req_id")
            #expect(try await party.caller.confirmRemoteLogin(phone) == .confirmed)
            _ = try await party.caller.revoke(phone.id, by: phone.device, token: phone.token)
            #expect(try await party.poll(id).oauthError == "invalid_grant")
        }
    }

    @Test("Tokens end when the device that confirmed them is revoked")
    func endWithDevice() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let id = try await party.ask().json().text("auth_req_id")
            _ = try await party.caller.confirmRemoteLogin(phone)
            let token = try await party.poll(id).json().text("access_token")
            #expect(try await party.userInformation(token).status == .ok)
            _ = try await party.caller.revoke(phone.id, by: phone.device, token: phone.token)
            #expect(try await party.userInformation(token).status == .unauthorized)
        }
    }
}

extension OpenIDParty {
    fileprivate func ask(
        _ changes: [String: String?] = [:], path: String = "/oauth/bc-authorize"
    ) async throws -> TestResponse {
        var fields = ["scope": "openid", "login_hint": "alice"]
        for (name, value) in changes { fields[name] = value }
        return try await post(fields, to: path, headers: Self.basic("server", Self.secret))
    }

    fileprivate func poll(_ id: String?) async throws -> TestResponse {
        var fields = ["grant_type": "urn:openid:params:grant-type:ciba"]
        fields["auth_req_id"] = id
        return try await token(fields, headers: Self.basic("server", Self.secret))
    }
}
