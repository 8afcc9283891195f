import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Nonces of the relying party in proofs")
struct ProofNonceTests {
    private func nonces(of phone: TestPhone) async throws -> [String?] {
        try await phone.relyingParty.proofs.map { try $0.claims(DPoPClaims.self).nonce?.rawValue }
    }

    @Test("A demanded nonce is sent in a second request, and from then on in the first")
    func retry() async throws {
        let phone = try await TestPhone.bound()
        await phone.relyingParty.demand(DPoPNonce(unchecked: "first"))
        let session = try await phone.login.logIn(phone.open)
        #expect(try await nonces(of: phone) == [nil, "first"])
        _ = try await session.devices()
        #expect(try await nonces(of: phone) == [nil, "first", "first"])
        await phone.relyingParty.demand(DPoPNonce(unchecked: "second"))
        _ = try await session.devices()
        _ = try await session.revoke(session.device)
        #expect(try await nonces(of: phone) == [nil, "first", "first", "first", "second", "second"])
        #expect(Set(try await phone.relyingParty.proofs.map { try $0.claims(DPoPClaims.self).id }).count == 6)
    }

    @Test("The second proof repeats the same assertion and refresh token, so nothing is used up twice")
    func sameRequest() async throws {
        let phone = try await TestPhone.bound()
        await phone.relyingParty.demand(DPoPNonce(unchecked: "first"))
        _ = try await phone.login.logIn(phone.open)
        #expect(await phone.relyingParty.verbs.suffix(3) == [.beginLogin, .tokens, .tokens])
        await phone.relyingParty.demand(DPoPNonce(unchecked: "second"))
        _ = try await phone.login.resume(phone.open)
        #expect(await phone.relyingParty.verbs.suffix(2) == [.tokens, .tokens])
        #expect(await phone.relyingParty.reuseCount == 0)
        #expect(try await phone.open.text(named: "nightlatch.refresh-token") == "refresh-2")
    }

    @Test("A relying party that refuses every nonce gets two requests and no more; the refresh token is kept")
    func neverContent() async throws {
        let phone = try await TestPhone.bound()
        let session = try await phone.login.logIn(phone.open)
        await phone.relyingParty.refuseEveryNonce()
        let refusal = ScriptedRelyingParty.refusal(.dpopNonceRequired)
        for call in 1...3 {
            let count = await phone.relyingParty.verbs.count
            switch call {
            case 1:
                await #expect(throws: SessionError.relyingParty(refusal)) { try await session.devices() }
            case 2:
                await #expect(throws: LoginError.relyingParty(refusal)) { try await phone.login.resume(phone.open) }
            default:
                await #expect(throws: LoginError.relyingParty(refusal)) { try await phone.login.logIn(phone.open) }
            }
            #expect(await phone.relyingParty.verbs.count == count + (call == 3 ? 3 : 2))
        }
        #expect(try await phone.open.text(named: "nightlatch.refresh-token") == "refresh-1")
    }

    @Test("The assertion contains how the vault was opened")
    func userVerification() async throws {
        let phone = try await TestPhone.bound()
        _ = try await phone.login.logIn(phone.open)
        let login = try #require(await phone.relyingParty.logins.first)
        #expect(phone.open.slot == .pin)
        #expect(try login.claims(LoginClaims.self).userVerification == .pin)
    }

    @Test("A session makes proofs for other servers, with their address without query and their own nonce")
    func otherServers() async throws {
        let phone = try await TestPhone.bound()
        let session = try await phone.login.logIn(phone.open)
        let url = try #require(URL(string: "https://api.example/accounts?page=2#top"))
        let authorization = try await session.authorization(
            method: "PUT", url: url, nonce: DPoPNonce(unchecked: "theirs"))
        let proof = try CompactJWS(authorization.proof)
        let claims = try proof.claims(DPoPClaims.self)
        #expect(claims.method == "PUT")
        #expect(claims.url == "https://api.example/accounts")
        #expect(claims.accessTokenHash == AccessTokenHash(of: session.accessToken))
        #expect(claims.nonce == DPoPNonce(unchecked: "theirs"))
        let key = try #require(proof.header.key)
        #expect(isSigned(proof, by: key))
        #expect(authorization.headers["Authorization"] == "DPoP access-1")
    }
}
