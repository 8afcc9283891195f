import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("The server's nonce in proofs")
struct NonceTests {
    private func withCaller(_ body: @escaping @Sendable (TestCaller) async throws -> Void) async throws {
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock), body)
    }

    private static func nonce(of response: TestResponse) throws -> DPoPNonce {
        let name = try #require(HTTPField.Name("DPoP-Nonce"))
        return try #require(response.headers[name].flatMap(DPoPNonce.init))
    }

    private static func proof(
        by device: TestDevice,
        for route: Route,
        token: AccessToken? = nil,
        nonce: DPoPNonce?,
        dated date: NumericDate = TestTime.current,
        at caller: TestCaller
    ) throws -> String {
        try device.proofDraft(
            method: route.method.rawValue, url: caller.issuer.rawValue + route.path, token: token, nonce: nonce,
            now: date
        ).text()
    }

    @Test(
        "A token request without a nonce is refused with a new nonce and uses nothing up, and succeeds with the nonce")
    func tokens() async throws {
        try await withCaller { caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            let begun = try await caller.beginLogin(user: alice, device: id)
            let assertion = try device.loginDraft(user: alice, challenge: begun.challenge, to: caller.issuer).text()
            var request = TokenRequest.login(assertion: assertion, handle: begun.handle)
            for _ in 1...2 {
                let bare = try Self.proof(by: device, for: .token, nonce: nil, at: caller)
                let refused = try await caller.token(request, proof: bare)
                try refused.expectOAuthError(.useDPoPNonce, .dpopNonceRequired)
                let nonce = try Self.nonce(of: refused)
                let good = try Self.proof(by: device, for: .token, nonce: nonce, at: caller)
                let grant = try await caller.token(request, proof: good).message(TokenGrant.self)
                request = .refresh(grant.refreshToken)
            }
        }
    }

    @Test("A resource refuses a proof without a nonce with 401, and its header gives the nonce to use")
    func resources() async throws {
        try await withCaller { caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            let token = try await caller.logIn(device, id: id, user: alice).message(TokenGrant.self).accessToken
            func list(_ nonce: DPoPNonce?) async throws -> TestResponse {
                let proof = try Self.proof(by: device, for: .devices, token: token, nonce: nonce, at: caller)
                return try await caller.call(
                    .get, Route.devices.path, headers: ["Authorization": "DPoP " + token.rawValue, "DPoP": proof])
            }
            let refused = try await list(nil)
            try refused.expectProblem(.dpopNonceRequired, 401)
            #expect(refused.headers[.wwwAuthenticate]?.contains(#"error="use_dpop_nonce""#) == true)
            #expect(try await list(try Self.nonce(of: refused)).status == .ok)
        }
    }

    @Test("A device with a wrong clock logs in, because a proof is dated by its nonce")
    func wrongClock() async throws {
        try await withCaller { caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            for date in [0, 4_000_000_000].map(NumericDate.init(secondsSince1970:)) {
                let begun = try await caller.beginLogin(user: alice, device: id)
                let assertion = try device.loginDraft(user: alice, challenge: begun.challenge, to: caller.issuer).text()
                let proof = try Self.proof(
                    by: device, for: .token, nonce: caller.nonces.nonce(at: TestTime.current), dated: date, at: caller)
                #expect(
                    try await caller.token(.login(assertion: assertion, handle: begun.handle), proof: proof).status
                        == .ok)
            }
        }
    }

    @Test("Each answer of a route with proofs, and the beginning of a login, have a valid nonce")
    func everyAnswer() async throws {
        try await withCaller { caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            let login = try await caller.logIn(device, id: id, user: alice)
            let token = try login.message(TokenGrant.self).accessToken
            let responses = [
                login, try await caller.post(LoginRequest(user: alice, device: id), to: .beginLogin),
                try await caller.devices(by: device, token: token),
                try await caller.revokeToken(token.rawValue, by: device),
                try await caller.call(.post, Route.token.path), try await caller.call(.get, Route.devices.path),
            ]
            for response in responses {
                let nonce = try Self.nonce(of: response)
                #expect(caller.nonces.isGood(nonce, at: TestTime.current))
            }
            // Answers that may be cached must have no nonce.
            for route in [Route.jwks, .metadata] {
                let response = try await caller.call(.get, route.path)
                #expect(response.headers[try #require(.init("DPoP-Nonce"))] == nil)
            }
        }
    }

    @Test(
        "A nonce is valid for two minutes, with a minute's tolerance for clock differences",
        arguments: [(-60, true), (-61, false), (0, true), (120, true), (121, false), (1_000_000, false)])
    func life(seconds: Int, isGood: Bool) throws {
        let nonces = DPoPNonces(keyring: .random())
        let nonce = nonces.nonce(at: TestTime.current)
        #expect(nonces.isGood(nonce, at: TestTime.current + .seconds(seconds)) == isGood)
    }

    @Test("A nonce of an earlier second is valid beside the newest, and a combination of both is not")
    func earlier() throws {
        let nonces = DPoPNonces(keyring: .random())
        let earlier = nonces.nonce(at: TestTime.current)
        let newest = nonces.nonce(at: TestTime.current + .seconds(1))
        let bytes = try #require(Base64URL.decode(earlier.rawValue))
        let code = try #require(Base64URL.decode(newest.rawValue)).dropFirst(8)
        let mixed = try #require(DPoPNonce(rawValue: Base64URL.encode(Array(bytes.prefix(8) + code))))
        #expect(earlier != newest && nonces.nonce(at: TestTime.current + .seconds(1)) == newest)
        #expect(nonces.isGood(earlier, at: TestTime.current + .seconds(1)))
        #expect(nonces.isGood(newest, at: TestTime.current + .seconds(1)))
        #expect(!nonces.isGood(mixed, at: TestTime.current + .seconds(1)))
    }

    @Test("A nonce that was changed, shortened, or made with another key is refused")
    func forged() throws {
        let nonces = DPoPNonces(keyring: .random())
        let nonce = nonces.nonce(at: TestTime.current)
        #expect(!DPoPNonces(keyring: .random()).isGood(nonce, at: TestTime.current))
        let bytes = try #require(Base64URL.decode(nonce.rawValue))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let forged = try #require(DPoPNonce(rawValue: Base64URL.encode(changed)))
            #expect(!nonces.isGood(forged, at: TestTime.current))
            let short = try #require(DPoPNonce(rawValue: Base64URL.encode(bytes.prefix(index) + [0])))
            #expect(!nonces.isGood(short, at: TestTime.current))
        }
        let strange = try #require(DPoPNonce(rawValue: "!"))
        #expect(!nonces.isGood(strange, at: TestTime.current))
    }
}
