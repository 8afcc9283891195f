import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Authorization codes and grants of apps in every store.
package enum AppGrantConformance {
    package static let requirements: [StoreRequirement] =
        codes + refreshing + revoking + ends

    private static let codes = [
        StoreRequirement("A code gives one grant with what was authorized; the second use revokes the grant") { store in
            let login = try await AppLogin(in: store)
            let (code, hash) = (try login.code(nonce: "n-1"), AuthorizationCodeHash.random())
            #expect(try await store.recordAuthorizationCode(code, as: hash))
            guard case .granted(let grant, let nonce) = try await login.redeem(hash, in: store) else {
                return #expect(Bool(false), "the code was refused")
            }
            #expect(nonce == "n-1" && grant.authorization == code.authorization && grant.generation == 1)
            #expect(try await store.appGrant(grant.id, of: .random()) == grant)
            #expect(try await login.redeem(hash, in: store) == .reused(grant.id))
            #expect(try await store.appGrant(grant.id, of: nil) == nil)
            #expect(
                try await login.events(in: store) == [.appTokensIssued, .authorizationCodeReused])
        },

        StoreRequirement("A code expires after a minute, and its second use revokes the grant even later") { store in
            let login = try await AppLogin(in: store)
            let (used, unused) = (AuthorizationCodeHash.random(), AuthorizationCodeHash.random())
            for hash in [used, unused] {
                #expect(try await store.recordAuthorizationCode(login.code(), as: hash))
            }
            let grant = try await login.grant(for: used, in: store)
            try await TestTime.after(AuthorizationCode.life + .seconds(1)) {
                let outcomes = (try await login.redeem(unused, in: store), try await login.redeem(used, in: store))
                #expect(outcomes.0 == .refused && outcomes.1 == .reused(grant.id))
            }
            #expect(try await store.appGrant(grant.id, of: nil) == nil)
        },

        StoreRequirement("A code is refused to another app, address, verifier and key, and stays valid") { store in
            let login = try await AppLogin(in: store)
            let (key, hash) = (try TestKey.newEC().id, AuthorizationCodeHash.random())
            let challenge = CodeChallenge.random()
            #expect(
                try await store.recordAuthorizationCode(
                    login.code(challenge: challenge, possessionKey: key), as: hash))
            let right = try login.sender(challenge: challenge, possessionKey: key)
            for wrong in [
                try login.sender(client: "other", challenge: challenge, possessionKey: key),
                try login.sender(uri: "com.example.app:/other", challenge: challenge, possessionKey: key),
                try login.sender(challenge: .random(), possessionKey: key),
                try login.sender(challenge: nil, possessionKey: key),
                try login.sender(challenge: challenge, possessionKey: try TestKey.newEC().id),
                try login.sender(challenge: challenge, possessionKey: nil),
            ] {
                #expect(try await login.redeem(hash, by: wrong, in: store) == .refused)
            }
            guard case .granted = try await login.redeem(hash, by: right, in: store) else {
                return #expect(Bool(false), "the code was refused")
            }
        },

        StoreRequirement("A verifier is refused for a code without a challenge") { store in
            let login = try await AppLogin(in: store)
            let hash = AuthorizationCodeHash.random()
            #expect(try await store.recordAuthorizationCode(login.code(challenge: nil), as: hash))
            #expect(
                try await login.redeem(hash, by: login.sender(challenge: .random()), in: store) == .refused)
        },

        StoreRequirement("A dead session gives no code, and a code whose session has ended gives no grant") { store in
            let login = try await AppLogin(in: store)
            let hash = AuthorizationCodeHash.random()
            #expect(try await store.recordAuthorizationCode(login.code(), as: hash))
            try await store.endJourneySession(login.session.token)
            #expect(try await login.redeem(hash, in: store) == .refused)
            #expect(try await !store.recordAuthorizationCode(login.code(), as: .random()))
            #expect(try await login.redeem(.random(), in: store) == .refused)
        },

        StoreRequirement("One code presented 50 times at once gives one grant, which is revoked") { store in
            let login = try await AppLogin(in: store)
            let hash = AuthorizationCodeHash.random()
            #expect(try await store.recordAuthorizationCode(login.code(), as: hash))
            let outcomes = try await inParallel(50) { try await login.redeem(hash, in: store) }
            let granted = outcomes.compactMap { if case .granted(let grant, _) = $0 { grant.id } else { nil } }
            #expect(granted.count == 1)
            let id = try #require(granted.first)
            #expect(outcomes.count { $0 == .reused(id) } == 49)
            #expect(try await store.appGrant(id, of: nil) == nil)
        },
    ]

    private static let refreshing = [
        StoreRequirement("The newest refresh token and its predecessor give the newest; an older one revokes the grant")
        { store in
            let login = try await AppLogin(in: store)
            let grant = try await login.grant(in: store)
            #expect(try await login.refresh(grant, 1, in: store)?.generation == 2)
            #expect(try await login.refresh(grant, 1, in: store)?.generation == 2)
            #expect(try await login.refresh(grant, 2, in: store)?.generation == 3)
            #expect(try await store.refreshAppGrant(login.refresh(of: grant, 1)) == .reused)
            #expect(try await store.refreshAppGrant(login.refresh(of: grant, 3)) == .refused)
            #expect(try await login.events(in: store) == [.appRefreshTokenReused, .appTokensIssued])
        },

        StoreRequirement("A replaced refresh token gives its successor for a minute; after that it is reuse") {
            store in
            let login = try await AppLogin(in: store)
            let grant = try await login.grant(in: store)
            try await TestTime.after(.seconds(1000)) {
                let first = try await login.refresh(grant, 1, in: store)
                #expect(first?.generation == 2)
                try await TestTime.after(AppGrant.repetitionTime) {
                    let again = try await login.refresh(grant, 1, in: store)
                    #expect(again?.generation == 2)
                }
                try await TestTime.after(AppGrant.repetitionTime + .seconds(1)) {
                    let outcome = try await store.refreshAppGrant(login.refresh(of: grant, 1))
                    #expect(outcome == .reused)
                }
            }
            #expect(try await store.appGrant(grant.id, of: nil) == nil)
        },

        StoreRequirement(
            "A refresh by another app or key, of an unknown number or grant, and of an idle grant is refused"
        ) { store in
            let login = try await AppLogin(in: store)
            let key = try TestKey.newEC().id
            let grant = try await login.grant(possessionKey: key, in: store)
            for wrong in [
                try login.refresh(of: grant, 1, client: "other", possessionKey: key),
                try login.refresh(of: grant, 1, possessionKey: try TestKey.newEC().id),
                try login.refresh(of: grant, 1, possessionKey: nil),
                try login.refresh(of: grant, 2, possessionKey: key),
                try login.refresh(of: grant, 0, possessionKey: key),
                GrantRefresh(
                    grant: .random(), generation: 1, client: grant.authorization.client, possessionKey: key,
                    life: AppLogin.life),
            ] {
                #expect(try await store.refreshAppGrant(wrong) == .refused)
            }
            let right = try login.refresh(of: grant, 1, possessionKey: key)
            try await TestTime.after(AppLogin.life + .seconds(1)) {
                let outcome = try await store.refreshAppGrant(right)
                #expect(outcome == .refused)
            }
            guard case .refreshed = try await store.refreshAppGrant(right) else {
                return #expect(Bool(false), "the refresh was refused")
            }
        },

        StoreRequirement("A grant without a refresh token cannot be refreshed") { store in
            let login = try await AppLogin(in: store)
            let grant = try await login.grant(hasRefreshToken: false, in: store)
            #expect(grant.generation == 0)
            for number in [0, 1] {
                #expect(try await store.refreshAppGrant(login.refresh(of: grant, number)) == .refused)
            }
            #expect(try await store.appGrant(grant.id, of: .random()) != nil)
        },

        StoreRequirement("One refresh token presented 50 times at once gives one and the same successor") { store in
            let login = try await AppLogin(in: store)
            let grant = try await login.grant(in: store)
            let generations = try await inParallel(50) { try await login.refresh(grant, 1, in: store)?.generation }
            #expect(generations.allSatisfy { $0 == 2 })
        },
    ]

    private static let revoking = [
        StoreRequirement("An access token is revoked without its grant; an app revokes only its own grants") { store in
            let login = try await AppLogin(in: store)
            let grant = try await login.grant(in: store)
            let (revoked, other) = (MessageID.random(), MessageID.random())
            for _ in 0..<2 {
                try await store.revokeAppToken(revoked, until: TestTime.current + .seconds(300), of: grant.id)
            }
            #expect(try await store.appGrant(grant.id, of: revoked) == nil)
            #expect(try await store.appGrant(grant.id, of: other) == grant)
            #expect(try await login.refresh(grant, 1, in: store)?.generation == 2)
            try await store.revokeAppGrant(grant.id, of: #require(ClientID(rawValue: "other")))
            #expect(try await store.appGrant(grant.id, of: other) != nil)
            for _ in 0..<2 { try await store.revokeAppGrant(grant.id, of: grant.authorization.client) }
            #expect(try await store.appGrant(grant.id, of: other) == nil)
            #expect(
                try await login.events(in: store) == [.appGrantRevoked, .appTokenRevoked, .appTokensIssued])
        }
    ]

    private static let ends =
        [
            StoreRequirement("A grant stays when its session expires, and is deleted when it has expired itself") {
                store in
                let login = try await AppLogin(in: store)
                let grant = try await login.grant(in: store)
                try await TestTime.after(TestJourneys.life + .seconds(1)) {
                    try await store.purgeExpired()
                    #expect(try await login.refresh(grant, 1, in: store)?.generation == 2)
                }
                try await TestTime.after(TestJourneys.life + AppLogin.life + .seconds(2)) {
                    #expect(try await store.appGrant(grant.id, of: nil) == nil)
                    try await store.purgeExpired()
                }
                #expect(try await store.appGrant(grant.id, of: nil) == nil)
            },

            StoreRequirement("Expired codes and revocations of expired tokens are deleted") { store in
                let login = try await AppLogin(in: store)
                let (grant, hash, token) = (
                    try await login.grant(in: store), AuthorizationCodeHash.random(), MessageID.random()
                )
                #expect(try await store.recordAuthorizationCode(login.code(), as: hash))
                try await store.revokeAppToken(token, until: TestTime.current + .seconds(60), of: grant.id)
                try await TestTime.after(.seconds(61) + ChallengeUse.retention) { try await store.purgeExpired() }
                // At the earlier time they would still have an effect.
                #expect(try await login.redeem(hash, in: store) == .refused)
                #expect(try await store.appGrant(grant.id, of: token) == grant)
            },

            StoreRequirement("Signing off after the session has expired ends its grants too") { store in
                let login = try await AppLogin(in: store)
                let grant = try await login.grant(in: store)
                try await TestTime.after(TestJourneys.life + .seconds(1)) {
                    try await store.purgeExpired()
                    try await store.endJourneySession(login.session.token)
                }
                #expect(try await store.appGrant(grant.id, of: nil) == nil)
            },

            StoreRequirement("Removing an app ends its codes and grants for good, and no other app's") { store in
                let login = try await AppLogin(in: store)
                let (grant, hash) = (try await login.grant(in: store), AuthorizationCodeHash.random())
                #expect(try await store.recordAuthorizationCode(login.code(), as: hash))
                let app = try AppLogin.app()
                let other = App(id: try #require(ClientID(rawValue: "other")), name: app.name)
                _ = try await store.putApp(other, replacing: nil, by: .operator)
                #expect(try await store.removeApp(other.id, by: .operator))
                #expect(try await store.appGrant(grant.id, of: nil) == grant)
                #expect(try await store.removeApp(app.id, by: .operator))
                #expect(try await store.appGrant(grant.id, of: nil) == nil)
                #expect(try await !store.recordAuthorizationCode(login.code(), as: .random()))
                _ = try await store.putApp(app, replacing: nil, by: .operator)
                #expect(try await login.redeem(hash, in: store) == .refused)
                #expect(try await store.refreshAppGrant(login.refresh(of: grant, 1)) == .refused)
            },

            StoreRequirement("Signing off ends the grants of this session, except those for offline access") { store in
                let (login, other) = (try await AppLogin(in: store), try await AppLogin(in: store))
                let grant = try await login.grant(in: store)
                let offline = try await login.grant(scopes: [.openID, .offlineAccess], in: store)
                let others = try await other.grant(in: store)
                try await store.endJourneySession(login.session.token)
                #expect(try await store.appGrant(grant.id, of: nil) == nil)
                #expect(try await store.appGrant(offline.id, of: .random()) == offline)
                #expect(try await store.appGrant(others.id, of: .random()) == others)
            },
        ]
        + [
            "Ending all sessions of a user", "Setting the password of a user", "Removing the key of a journey",
            "Replacing the key of a journey",
        ].map(endOfAll)

    private static func endOfAll(_ way: String) -> StoreRequirement {
        StoreRequirement("\(way) ends the grants, also those for offline access, and no other user's") { store in
            let device = try TestJourneys.device(of: Fixture.alice())
            let login = try await AppLogin(in: store, by: device)
            let bobs = try await AppLogin(of: Fixture.bob(), in: store)
            let grant = try await login.grant(scopes: [.openID, .offlineAccess], in: store)
            let other = try await bobs.grant(in: store)
            switch way {
            case "Ending all sessions of a user":
                _ = try await store.endJourneySessions(of: login.user, by: .operator)
            case "Setting the password of a user":
                let password = StoredPassword(
                    hash: .init(repeating: 1, count: 32), salt: .init(repeating: 1, count: 16), memoryKibibytes: 8,
                    passes: 1, lanes: 1)
                try await store.setPassword(password, of: login.user)
            case "Removing the key of a journey":
                // The user's current session and its grants stay.
                let current = try await AppLogin(in: store, key: device.id)
                let own = try await current.grant(in: store)
                _ = try await store.removeJourneyDevice(
                    device.id, of: login.user, by: .user, keeping: current.session.token)
                #expect(try await store.appGrant(own.id, of: .random()) == own)
            default:
                _ = try await store.recordJourneyStep(
                    TestJourneys.binding(TestJourneys.device(of: login.user, key: .newEC())))
            }
            #expect(try await store.appGrant(grant.id, of: nil) == nil)
            #expect(try await store.appGrant(other.id, of: nil) == other)
        }
    }
}

/// A session of a user, from which an app gets codes and grants.
private struct AppLogin {
    static let life: Duration = .seconds(7 * 24 * 60 * 60)

    let user: UserID
    let session: NewJourneySession

    /// Begins the session. The key that signs last in its journey is that of `device`, which this binds first; if
    /// `device` is nil, it is `key`.
    init(
        of user: UserID? = nil, in store: any RelyingPartyStore, by device: JourneyDevice? = nil,
        key: JourneyKeyID? = nil
    ) async throws {
        self.user = try user ?? Fixture.alice()
        _ = try await store.newCode(for: self.user)
        _ = try await store.putApp(Self.app(), replacing: nil, by: .operator)
        if let device { _ = try await store.recordJourneyStep(TestJourneys.binding(device)) }
        session = TestJourneys.session(of: self.user, by: device?.id ?? key)
        let step = JourneyStep(use: TestJourneys.use(), session: session)
        #expect(try await store.recordJourneyStep(step) == .recorded)
    }

    static func app() throws -> App { App(id: .default, name: try #require(AppName(rawValue: "App"))) }

    private static func uri(_ text: String) throws -> RedirectURI { try #require(RedirectURI(rawValue: text)) }

    func code(
        scopes: [AppScope] = [.openID], challenge: CodeChallenge? = nil, nonce: String? = nil,
        possessionKey: KeyID? = nil
    ) throws -> AuthorizationCode {
        let record = JourneySession(
            user: user, journey: session.journey, key: session.key, beganAt: TestTime.current,
            expiresAt: TestTime.current + session.life)
        return AuthorizationCode(
            authorization: AppAuthorization(
                client: .default, scopes: scopes, session: session.token, of: record, possessionKey: possessionKey),
            redirectURI: try Self.uri("com.example.app:/callback"), challenge: challenge, nonce: nonce)
    }

    func sender(
        client: String = ClientID.default.rawValue, uri: String = "com.example.app:/callback",
        challenge: CodeChallenge? = nil, possessionKey: KeyID? = nil
    ) throws -> CodeRedemption.Sender {
        CodeRedemption.Sender(
            client: try #require(ClientID(rawValue: client)), redirectURI: try Self.uri(uri), challenge: challenge,
            possessionKey: possessionKey)
    }

    func redeem(
        _ code: AuthorizationCodeHash, by sender: CodeRedemption.Sender? = nil, hasRefreshToken: Bool = true,
        in store: any RelyingPartyStore
    ) async throws -> CodeRedemptionOutcome {
        try await store.redeemAuthorizationCode(
            CodeRedemption(
                code: code, by: sender ?? self.sender(), grant: .random(), hasRefreshToken: hasRefreshToken,
                life: Self.life))
    }

    func grant(
        for hash: AuthorizationCodeHash? = nil, scopes: [AppScope] = [.openID], possessionKey: KeyID? = nil,
        hasRefreshToken: Bool = true, in store: any RelyingPartyStore
    ) async throws -> AppGrant {
        let code = hash ?? .random()
        if hash == nil {
            #expect(
                try await store.recordAuthorizationCode(
                    self.code(scopes: scopes, possessionKey: possessionKey), as: code))
        }
        let outcome = try await redeem(
            code, by: sender(possessionKey: possessionKey), hasRefreshToken: hasRefreshToken, in: store)
        guard case .granted(let grant, _) = outcome else { throw NotGranted(outcome: outcome) }
        return grant
    }

    private struct NotGranted: Error { let outcome: CodeRedemptionOutcome }

    func refresh(
        of grant: AppGrant, _ generation: Int, client: String = ClientID.default.rawValue, possessionKey: KeyID? = nil
    ) throws -> GrantRefresh {
        GrantRefresh(
            grant: grant.id, generation: generation, client: try #require(ClientID(rawValue: client)),
            possessionKey: possessionKey, life: Self.life)
    }

    func refresh(_ grant: AppGrant, _ generation: Int, in store: any RelyingPartyStore) async throws -> AppGrant? {
        let outcome = try await store.refreshAppGrant(refresh(of: grant, generation))
        return if case .refreshed(let grant) = outcome { grant } else { nil }
    }

    /// The events about apps, sorted by name, because events of the same second have an order only within a chain of
    /// the log.
    func events(in store: any RelyingPartyStore) async throws -> [AuditEvent.Kind] {
        try await store.auditEntries(of: user, before: nil, limit: 50).map(\.event).filter { $0.client != nil }
            .map(\.kind).sorted { $0.rawValue < $1.rawValue }
    }
}

extension StoredHash {
    fileprivate static func random() -> Self { Fixture.hash() }
}
