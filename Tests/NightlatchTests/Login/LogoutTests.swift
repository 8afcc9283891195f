import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Logout")
struct LogoutTests {
    @Test("Logging out revokes the refresh token; the device stays bound and logs in again")
    func logOut() async throws {
        let phone = try await TestPhone.bound()
        let session = try await phone.login.logIn(phone.open)
        try await phone.login.logOut(phone.open)
        #expect(try await phone.open.text(named: "nightlatch.refresh-token") == nil)
        #expect(await phone.relyingParty.verbs.suffix(1) == [.revokeToken])
        let claims = try #require(await phone.relyingParty.proofs.last).claims(DPoPClaims.self)
        #expect(claims.url == phone.relyingParty.issuer.rawValue + "/oauth/revoke")
        let again = try await phone.login.resume(phone.open)
        #expect(again.device == session.device)
        #expect(await phone.relyingParty.logins.count == 2)
    }

    @Test("Without a refresh token no request is sent, and logging out twice is no error")
    func nothingToEnd() async throws {
        let phone = try await TestPhone.bound()
        try await phone.login.logOut(phone.open)
        _ = try await phone.login.logIn(phone.open)
        try await phone.login.logOut(phone.open)
        try await phone.login.logOut(phone.open)
        #expect(await phone.relyingParty.verbs.filter { $0 == .revokeToken }.count == 1)
    }

    @Test(
        "If the answer is lost or a refusal, the vault still has the token, and the call can be repeated",
        arguments: [
            ScriptedRelyingParty.Mishap.loseRequest, .loseAnswer, .cancel, .refuse(.unavailable),
            .refuseAfterwards(.internalError),
        ])
    func lost(mishap: ScriptedRelyingParty.Mishap) async throws {
        let phone = try await TestPhone.bound()
        _ = try await phone.login.logIn(phone.open)
        await phone.relyingParty.script(.revokeToken, mishap)
        await #expect(throws: LoginError.self) { try await phone.login.logOut(phone.open) }
        #expect(try await phone.open.text(named: "nightlatch.refresh-token") == "refresh-1")
        try await phone.login.logOut(phone.open)
        #expect(try await phone.open.text(named: "nightlatch.refresh-token") == nil)
        await #expect(throws: LoginError.notBound) { try await phone.login.logOut(TestPhone().open) }
    }
}
