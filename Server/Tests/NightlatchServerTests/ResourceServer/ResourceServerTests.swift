import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Nightlatch
import NightlatchRelyingParty
import NightlatchResourceServer
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("Access to a resource server with the relying party's tokens")
struct ResourceServerTests {
    /// Logs in a new device of alice.
    private static func logIn(at caller: TestCaller) async throws -> (TestDevice, AccessToken) {
        let (alice, device) = (try Fixture.alice(), TestDevice())
        let id = try await caller.bind(device, to: alice)
        return (device, try await caller.logIn(device, id: id, user: alice).message(TokenGrant.self).accessToken)
    }

    @Test(
        "A token with its proof identifies the caller to the route, in process and over a socket",
        arguments: StoryTests.Way.allCases)
    func accepted(way: StoryTests.Way) async throws {
        try await TestResourceServer.with(way.setup) { caller, api in
            let (device, token) = try await Self.logIn(at: caller)
            for _ in 1...3 {
                let response = try await api.get(token: token, by: device)
                #expect(response.status == .ok && response.text == "alice")
            }
            #expect(await api.source.count == 1)
        }
    }

    @Test("Without a token, or with more than one kind of credentials, the answer names the right form")
    func credentials() async throws {
        try await TestResourceServer.with(.live) { caller, api in
            let (_, token) = try await Self.logIn(at: caller)
            let good = ("Authorization", "DPoP " + token.rawValue)
            try await api.get([]).expectRefusal(.accessTokenRefused, 401, error: nil)
            try await api.get([("Authorization", "Basic YTpi")]).expectRefusal(.accessTokenRefused, 401, error: nil)
            try await api.get([("Authorization", "Bearer " + token.rawValue)])
                .expectRefusal(.accessTokenRefused, 401, error: "invalid_token")
            for text in ["DPoP", "DPoP ", "DPoP not a token", "DPoP x"] {
                try await api.get([("Authorization", text)])
                    .expectRefusal(.accessTokenRefused, 401, error: "invalid_token")
            }
            try await api.get([good, good]).expectRefusal(.malformedRequest, 400, error: "invalid_request")
            try await api.get([good]).expectRefusal(.dpopProofRefused, 401, error: "invalid_dpop_proof")
        }
    }

    @Test("A token of another kind, issuer, audience, app or time, or a changed token, is refused")
    func tokens() async throws {
        try await TestResourceServer.with { caller, api in
            let (device, token) = try await Self.logIn(at: caller)
            func refuse(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
                try await api.get(token: try #require(AccessToken(rawValue: text)), by: device)
                    .expectRefusal(.accessTokenRefused, 401, error: "invalid_token", sourceLocation: sourceLocation)
            }
            let parts = token.rawValue.split(separator: ".")
            // The last character but one has six bits of the signature; the last one has unused bits too.
            let other = parts[2].dropLast().last == "A" ? "B" : "A"
            try await refuse(
                [parts[0], parts[1], parts[2].dropLast(2) + other + parts[2].suffix(1)].joined(separator: "."))
            let bob = try #require(Base64URL.decode(parts[1]).map { String(decoding: $0, as: UTF8.self) })
            let forged = Base64URL.encode(Data(bob.replacing("alice", with: "bob").utf8))
            try await refuse([String(parts[0]), forged, String(parts[2])].joined(separator: "."))
            // Signed correctly, but by an unpublished key.
            let stranger = try #require(
                TokenIssuer(relyingParty: caller.issuer, life: .seconds(300), keys: [.random()]))
            try await refuse(
                stranger.accessToken(
                    user: Fixture.alice(), device: .random(), client: .default, session: .random(),
                    authentication: Fixture.authentication, possessionKey: device.possession.id,
                    now: TestTime.current
                ).rawValue)
            // A message of the device itself.
            try await refuse(
                device.loginDraft(user: Fixture.alice(), challenge: .random(), to: caller.issuer).text())
            try await TestTime.after(.seconds(299)) {
                let response = try await api.get(token: token, by: device)
                #expect(response.status == .ok)
            }
            try await TestTime.after(.seconds(300)) { try await refuse(token.rawValue) }
        }
    }

    @Test(
        "A token by another issuer, for another audience or of an app that is not accepted is refused",
        arguments: 0..<3)
    func configuration(part: Int) async throws {
        try await TestResourceServer.with(
            change: { configuration in
                let other = try #require(Issuer(rawValue: "https://other.example"))
                switch part {
                case 0:
                    let audience = configuration.audience
                    configuration = ResourceServerConfiguration(relyingParty: other, server: configuration.server)
                    configuration.audience = audience
                case 1: configuration.audience = other
                default: configuration.clients = [try #require(ClientID(rawValue: "other"))]
                }
            },
            { caller, api in
                let (device, token) = try await Self.logIn(at: caller)
                try await api.get(token: token, by: device)
                    .expectRefusal(.accessTokenRefused, 401, error: "invalid_token")
            })
    }

    @Test("A proof for another request, token or time, or by another key, is refused")
    func proofs() async throws {
        try await TestResourceServer.with { caller, api in
            let (device, token) = try await Self.logIn(at: caller)
            let changes: [(inout Draft) throws -> Void] = [
                { $0.payload["htm"] = "POST" },
                { $0.payload["htu"] = TestResourceServer.address + "/transfers" },
                { $0.payload["htu"] = "https://localhost/accounts" },
                { $0.payload["ath"] = nil },
                { $0.payload["ath"] = KeyID.random().rawValue },
                { $0.payload["iat"] = TestTime.current.secondsSince1970 - 61 },
                { $0.payload["iat"] = TestTime.current.secondsSince1970 + 61 },
                { $0.signer = .newEC() },
                { $0.header["typ"] = "JWT" },
            ]
            for change in changes {
                try await api.get(token: token, by: device, change: change)
                    .expectRefusal(.dpopProofRefused, 401, error: "invalid_dpop_proof")
            }
            try await api.get(token: token, by: TestDevice())
                .expectRefusal(.dpopProofRefused, 401, error: "invalid_dpop_proof")
            let proof = try device.proofDraft(
                method: "GET", url: TestResourceServer.address + "/accounts", token: token
            ).text()
            let headers = [("Authorization", "DPoP " + token.rawValue), ("DPoP", proof)]
            #expect(try await api.get(headers).status == .ok)
            try await api.get(headers + [("DPoP", proof)])
                .expectRefusal(.dpopProofRefused, 401, error: "invalid_dpop_proof")
        }
    }

    @Test("A server with its own nonces requires one, and dates proofs by it")
    func nonces() async throws {
        try await TestResourceServer.with(.live, hasNonces: true) { caller, api in
            let (device, token) = try await Self.logIn(at: caller)
            let name = try #require(HTTPField.Name("DPoP-Nonce"))
            // The relying party's nonce is not valid here.
            for foreign in [nil, caller.nonces.nonce(at: TestTime.current).rawValue] {
                let refused = try await api.get(token: token, by: device) { $0.payload["nonce"] = foreign }
                try refused.expectRefusal(.dpopNonceRequired, 401, error: "use_dpop_nonce")
                let nonce = try #require(refused.headers[name])
                let response = try await api.get(token: token, by: device) { draft in
                    draft.payload["nonce"] = nonce
                    draft.payload["iat"] = 0
                }
                #expect(response.status == .ok && response.headers[name] != nil)
            }
        }
    }

    @Test("A key from a rotation is fetched when a token names it")
    func rotation() async throws {
        let (masterKey, store) = (MasterKey.random(), MemoryRelyingPartyStore(clock: TestTime.clock))
        let schedule = SigningKeySchedule(accessTokenLife: .seconds(300), signingKeyLife: nil)
        let issuer = try Fixture.issuer()
        func tokenKeys() async throws -> TokenKeys {
            try await TokenKeys(
                relyingParty: issuer, schedule: schedule, store: store, keyring: MasterKeyring(masterKey),
                now: TestTime.current)
        }
        let (source, clock) = (StoredSource(keys: try await tokenKeys()), TestInstant())
        let published = PublishedKeys(source: source, now: { clock.now })
        let old = try #require(await published.keys(for: nil))
        let next = try TokenSigningKey.random().sealed(
            under: masterKey, createdAt: TestTime.current, activeFrom: TestTime.current)
        _ = try await store.addSigningKey(next, after: try #require(old.first).thumbprint)
        await source.replace(with: try await tokenKeys())

        // The keys were fetched a moment ago, so tokens with unknown keys cannot cause repeated requests.
        for _ in 1...5 { #expect(await published.keys(for: next.id)?.count == 1) }
        #expect(await source.count == 1)
        clock.advance(by: .seconds(10))
        #expect(await published.keys(for: next.id)?.count == 2)
        for _ in 1...5 { _ = await published.keys(for: .random()) }
        #expect(await source.count == 2)
    }

    /// Returns a source with one key of a relying party.
    private static func source() async throws -> StoredSource {
        StoredSource(
            keys: try await TokenKeys(
                relyingParty: Fixture.issuer(),
                schedule: SigningKeySchedule(accessTokenLife: .seconds(300), signingKeyLife: nil),
                store: MemoryRelyingPartyStore(clock: TestTime.clock), keyring: .random(), now: TestTime.current))
    }

    @Test("While the relying party is down, keys stay valid for an hour; after that no token is accepted or refused")
    func unreachable() async throws {
        let (source, clock) = (try await Self.source(), TestInstant())
        let published = PublishedKeys(source: source, now: { clock.now })
        #expect(await published.keys(for: nil)?.count == 1)
        await source.fail()
        clock.advance(by: .seconds(3600))
        #expect(await published.keys(for: nil)?.count == 1)
        clock.advance(by: .seconds(1))
        #expect(await published.keys(for: nil) == nil)
        clock.advance(by: .seconds(10))
        await source.mend()
        #expect(await published.keys(for: nil)?.count == 1)
    }

    @Test(
        "While the relying party does not answer, requests with a known key do not wait; those with another key wait",
        .timeLimit(.minutes(5)))
    func silent() async throws {
        let (source, clock) = (try await Self.source(), TestInstant())
        let published = PublishedKeys(source: source, now: { clock.now })
        let known = try #require(await published.keys(for: nil)?.first?.thumbprint)
        await source.fallSilent()
        clock.advance(by: .seconds(301))
        for _ in 1...5 { #expect(await published.keys(for: known)?.count == 1) }
        while await source.count < 2 { await Task.yield() }
        async let other = published.keys(for: .random())
        await source.speak()
        #expect(await other?.count == 1)
        // The keys fetched in the background are fresh.
        _ = await published.keys(for: known)
        #expect(await source.count == 2)
    }

    @Test("A resource server that never got keys answers that it is unavailable, not that the token is invalid")
    func noKeys() async throws {
        try await TestResourceServer.with { caller, api in
            let (device, token) = try await Self.logIn(at: caller)
            let application = try TestResourceServer.applicationWithoutKeys()
            try await application.test(.router) { client in
                let lost = APICaller(client: client, source: api.source, nonces: nil)
                let response = try await lost.get(token: token, by: device)
                #expect(response.status == .serviceUnavailable && response.headers[.wwwAuthenticate] == nil)
                #expect(
                    try StrictJSON.decode(Problem.self, from: Data(response.body.readableBytesView)).code
                        == .unavailable)
            }
        }
    }
}
