import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules that every store keeps about continuing with remote logins, and about the end of what they gave.
package enum RemoteLoginCompletionConformance {
    package static let requirements: [StoreRequirement] =
        completing + refusing + races + DeviceEnd.allCases.map(endOfDevice) + [
            StoreRequirement("Renaming a device ends nothing that it confirmed") { store in
                let party = try await RemoteLoginParty(in: store)
                let (session, grant) = try await party.logIn(by: party.device)
                let name = try #require(DeviceName(rawValue: "Kitchen tablet"))
                _ = try await store.change(party.device, of: party.user, by: .user, .rename(name))
                #expect(try await store.journeySession(session) != nil)
                #expect(try await store.appGrant(grant.id, of: nil) == grant)
            }
        ]

    private static let completing = [
        StoreRequirement("A confirmed remote login is continued once, with a session and a code of what was asked for")
        {
            store in
            let party = try await RemoteLoginParty(in: store)
            let login = try await party.confirmed()
            let (key, challenge, hash) = (try TestKey.newEC().id, CodeChallenge.random(), party.code())
            let completion = try TestRemoteLogin.completion(
                of: login.id, scopes: [.openID, .offlineAccess], code: hash, challenge: challenge, nonce: "n-1",
                possessionKey: key)
            try await TestTime.after(.seconds(10)) { () async throws in
                #expect(try await store.completeRemoteLogin(completion) == .code)
                for again in [completion, try TestRemoteLogin.completion(of: login.id), party.grant(of: login)] {
                    #expect(try await store.completeRemoteLogin(again) == .refused)
                }
            }
            let began = TestTime.current + .seconds(10)
            let session = JourneySession(
                user: party.user, journey: RemoteLogin.contextClass, key: JourneyKeyID(party.device), beganAt: began,
                expiresAt: began + TestRemoteLogin.sessionLife)
            #expect(try await store.journeySession(completion.session) == session)
            #expect(try await store.journeySessions(of: party.user, limit: 10) == [session])
            #expect(try await store.remoteLogin(login.id)?.state == .completed)
            let sender = CodeRedemption.Sender(
                client: .default, redirectURI: try TestRemoteLogin.redirectURI(), challenge: challenge,
                possessionKey: key)
            guard case .granted(let grant, let nonce) = try await party.redeem(hash, by: sender) else {
                return #expect(Bool(false), "the code was refused")
            }
            #expect(nonce == "n-1")
            #expect(
                grant.authorization
                    == AppAuthorization(
                        client: .default, scopes: [.openID, .offlineAccess], session: completion.session, of: session,
                        possessionKey: key))
            #expect(try await party.redeem(hash, by: sender) == .reused(grant.id))
        },

        StoreRequirement(
            "A sign-in to the console gives a session and no app access, and a login to an app gives no sign-in"
        ) { store in
            let party = try await RemoteLoginParty(in: store)
            // Also if an earlier version has registered an app with the console's id.
            _ = try await store.putApp(TestApp.new(ClientID.console.rawValue), replacing: nil, by: .operator)
            func signIn(_ login: RemoteLogin) -> RemoteLoginCompletion {
                RemoteLoginCompletion(
                    login: login.id, session: Fixture.hash(), sessionLife: TestRemoteLogin.sessionLife, scopes: [],
                    possessionKey: nil, access: .console)
            }
            let ofApp = try await party.confirmed()
            #expect(try await store.completeRemoteLogin(signIn(ofApp)) == .refused)
            #expect(try await store.remoteLogin(ofApp.id)?.state == .confirmed)

            let login = try TestRemoteLogin.new(
                of: party.user, details: TestRemoteLogin.details(client: ClientID.console.rawValue), isClaimed: true)
            try await store.remoteLogin(login, confirmedBy: party.device)
            for other in [try TestRemoteLogin.completion(of: login.id), party.grant(of: login)] {
                #expect(try await store.completeRemoteLogin(other) == .refused)
            }
            let completion = signIn(login)
            #expect(try await store.completeRemoteLogin(completion) == .console)
            #expect(try await store.completeRemoteLogin(signIn(login)) == .refused)
            #expect(try await store.journeySession(completion.session)?.key == JourneyKeyID(party.device))
            #expect(try await store.userData(.appGrants, of: party.user, after: nil, limit: 9).isEmpty)
            _ = try await store.change(party.device, of: party.user, by: .operator, .block)
            #expect(try await store.journeySession(completion.session) == nil)
        },

        StoreRequirement("A code of a remote login lives for a minute, counted from the continuation") { store in
            let party = try await RemoteLoginParty(in: store)
            let codes = [party.code(), party.code()]
            for code in codes {
                let login = try await party.confirmed()
                _ = try await store.completeRemoteLogin(TestRemoteLogin.completion(of: login.id, code: code))
            }
            try await TestTime.after(AuthorizationCode.life + .seconds(1)) { () async throws in
                #expect(try await party.redeem(codes[0]) == .refused)
            }
            try await TestTime.after(AuthorizationCode.life) { () async throws in
                guard case .granted = try await party.redeem(codes[1]) else {
                    return #expect(Bool(false), "the code was refused")
                }
            }
        },

        StoreRequirement("A confirmed remote login is continued once with a grant, with or without a refresh token") {
            store in
            let party = try await RemoteLoginParty(in: store)
            let key = try TestKey.newEC().id
            for hasRefreshToken in [true, false] {
                let login = try await party.confirmed()
                let completion = TestRemoteLogin.grant(
                    of: login.id, hasRefreshToken: hasRefreshToken, possessionKey: key)
                guard case .grant(let grant) = try await store.completeRemoteLogin(completion) else {
                    return #expect(Bool(false), "the login was not completed")
                }
                let session = try #require(try await store.journeySession(completion.session))
                #expect(
                    grant
                        == AppGrant(
                            id: grant.id,
                            authorization: AppAuthorization(
                                client: .default, scopes: [.openID], session: completion.session, of: session,
                                possessionKey: key),
                            generation: hasRefreshToken ? 1 : 0, rotatedAt: TestTime.current,
                            expiresAt: TestTime.current + TestRemoteLogin.grantLife))
                #expect(try await store.appGrant(grant.id, of: .random()) == grant)
                #expect(try await store.completeRemoteLogin(completion) == .refused)
                #expect(try await store.completeRemoteLogin(party.grant(of: login)) == .refused)
                let refresh = GrantRefresh(
                    grant: grant.id, generation: 1, client: .default, possessionKey: key, life: .seconds(60))
                let outcome = try await store.refreshAppGrant(refresh)
                #expect((outcome != .refused) == hasRefreshToken)
            }
            let kinds = try await party.events()
            #expect(kinds.count { $0 == .remoteLoginCompleted } == 2)
            #expect(kinds.count { $0 == .appTokensIssued } == 2)
        },

        StoreRequirement("The message that confirmed a remote login, sent again later, tells that it was completed") {
            store in
            let party = try await RemoteLoginParty(in: store)
            let login = try TestRemoteLogin.new(of: party.user)
            try await store.remoteLogin(login, confirmedBy: nil)
            let use = Fixture.use()
            let decision = TestRemoteLogin.decision(.confirm, on: login, by: party.device)
            #expect(try await store.decideRemoteLogin(decision, consuming: use) == .recorded(.confirmed))
            _ = try await store.completeRemoteLogin(TestRemoteLogin.completion(of: login.id))
            #expect(try await store.decideRemoteLogin(decision, consuming: use) == .recorded(.completed))
            #expect(
                try await store.decideRemoteLogin(decision, consuming: Fixture.use()) == .ended(.completed))
        },

        StoreRequirement("A confirmed remote login is continued until a minute after its expiry, and not later") {
            store in
            let party = try await RemoteLoginParty(in: store)
            let logins = [try await party.confirmed(), try await party.confirmed()]
            let last = TestRemoteLogin.life + .seconds(60)
            try await TestTime.after(last) { () async throws in
                #expect(try await store.remoteLogin(logins[0].id)?.state == .confirmed)
                #expect(try await store.completeRemoteLogin(TestRemoteLogin.completion(of: logins[0].id)) == .code)
            }
            try await TestTime.after(last + .seconds(1)) { () async throws in
                #expect(try await store.remoteLogin(logins[0].id)?.state == .completed)
                #expect(try await store.remoteLogin(logins[1].id)?.state == .expired)
                let completion = try TestRemoteLogin.completion(of: logins[1].id)
                #expect(try await store.completeRemoteLogin(completion) == .refused)
                #expect(try await store.journeySession(completion.session) == nil)
            }
        },

        StoreRequirement("A grant from a remote login stays when the login is deleted") { store in
            let party = try await RemoteLoginParty(in: store)
            let (session, grant) = try await party.logIn(by: party.device)
            try await TestTime.after(.seconds(2 * 24 * 60 * 60)) { () async throws in
                try await store.purgeExpired()
                #expect(try await store.journeySession(session) == nil)
                #expect(try await store.appGrant(grant.id, of: nil) == grant)
            }
        },
    ]

    private static let refusing = [
        StoreRequirement("A remote login that is not confirmed is not continued, and nothing is recorded") { store in
            let party = try await RemoteLoginParty(in: store)
            let bob = try Fixture.bob()
            _ = try await store.newCode(for: bob)
            let logins = try (0..<4).map { _ in try TestRemoteLogin.new(of: party.user, isClaimed: true) }
            for login in logins { try await store.remoteLogin(login, confirmedBy: nil) }
            for decision in [
                TestRemoteLogin.decision(.reject, on: logins[1], by: party.device),
                TestRemoteLogin.confirmation(of: logins[2], by: party.device, number: nil),
            ] { _ = try await store.decideRemoteLogin(decision, consuming: Fixture.use()) }
            _ = try await store.openRemoteLogin(TestRemoteLogin.new(id: logins[3].id, of: bob))
            let before = try await party.events()
            for id in logins.map(\.id) + [.random()] {
                let known = try await store.remoteLogin(id)
                let code = party.code()
                #expect(
                    try await store.completeRemoteLogin(TestRemoteLogin.completion(of: id, code: code)) == .refused)
                #expect(try await store.completeRemoteLogin(TestRemoteLogin.grant(of: id)) == .refused)
                #expect(try await store.remoteLogin(id) == known)
                #expect(try await party.redeem(code) == .refused)
            }
            #expect(try await store.journeySessions(of: party.user, limit: 10) == [])
            #expect(try await party.events() == before)
        },

        StoreRequirement("A confirmed remote login is not continued after its app was removed") { store in
            let party = try await RemoteLoginParty(in: store)
            let login = try await party.confirmed()
            let other = try TestRemoteLogin.new(
                of: party.user, details: TestRemoteLogin.details(client: "never-registered"))
            try await store.remoteLogin(other, confirmedBy: party.device)
            #expect(try await store.completeRemoteLogin(party.grant(of: other)) == .refused)
            _ = try await store.removeApp(.default, by: .operator)
            #expect(try await store.completeRemoteLogin(party.grant(of: login)) == .refused)
            #expect(try await store.remoteLogin(login.id)?.state == .confirmed)
            #expect(try await store.journeySessions(of: party.user, limit: 10) == [])
        },

        StoreRequirement("A confirmed remote login is continued only while its device is active") { store in
            let party = try await RemoteLoginParty(in: store)
            let login = try await party.confirmed()
            _ = try await store.change(party.device, of: party.user, by: .user, .block)
            #expect(try await store.completeRemoteLogin(party.grant(of: login)) == .refused)
            _ = try await store.change(party.device, of: party.user, by: .user, .unblock)
            guard case .grant = try await store.completeRemoteLogin(party.grant(of: login)) else {
                return #expect(Bool(false), "the login was not completed")
            }
            for end in DeviceEnd.allCases {
                let device = try await store.bind(TestDevice(), to: party.user)
                let login = try await party.confirmed(by: device)
                try await end.happen(to: device, of: party.user, in: store)
                #expect(try await store.completeRemoteLogin(party.grant(of: login)) == .refused)
                #expect(try await store.completeRemoteLogin(TestRemoteLogin.completion(of: login.id)) == .refused)
                #expect(try await store.remoteLogin(login.id)?.state == .confirmed)
            }
            #expect(try await store.journeySessions(of: party.user, limit: 10) == [])
        },
    ]

    private static let races = [
        StoreRequirement("Of 50 concurrent continuations of one remote login, exactly one succeeds") { store in
            let party = try await RemoteLoginParty(in: store)
            let login = try await party.confirmed()
            let outcomes = try await inParallel(50) { try await store.completeRemoteLogin(party.grant(of: login)) }
            #expect(outcomes.count { if case .grant = $0 { true } else { false } } == 1)
            #expect(outcomes.count { $0 == .refused } == 49)
            #expect(try await store.journeySessions(of: party.user, limit: 100).count == 1)
            #expect(try await party.events().count { $0 == .remoteLoginCompleted } == 1)
        },

        StoreRequirement("A concurrent continuation and revocation leave no session and no grant of the device") {
            store in
            let party = try await RemoteLoginParty(in: store)
            for _ in 0..<20 {
                let device = try await store.bind(TestDevice(), to: party.user)
                let login = try await party.confirmed(by: device)
                let completion = party.grant(of: login)
                async let outcome = store.completeRemoteLogin(completion)
                async let revoked = store.revoke(device, of: party.user)
                if case .grant(let grant) = try await outcome {
                    _ = try await revoked
                    #expect(try await store.appGrant(grant.id, of: nil) == nil)
                }
                #expect(try await revoked?.stop == .revoked)
                #expect(try await store.journeySession(completion.session) == nil)
            }
        },

        StoreRequirement("A concurrent continuation and opening by another user leave one outcome") { store in
            let party = try await RemoteLoginParty(in: store)
            let bob = try Fixture.bob()
            _ = try await store.newCode(for: bob)
            for _ in 0..<20 {
                let login = try await party.confirmed()
                let (completion, theirs) = (party.grant(of: login), try TestRemoteLogin.new(id: login.id, of: bob))
                async let outcome = store.completeRemoteLogin(completion)
                async let opening = store.openRemoteLogin(theirs)
                let isCompleted = if case .grant = try await outcome { true } else { false }
                guard case .contested(let contested) = try await opening else {
                    return #expect(Bool(false), "the login was opened for two users")
                }
                #expect(contested.state == (isCompleted ? .completed : .contested))
                #expect((try await store.journeySession(completion.session) != nil) == isCompleted)
            }
        },
    ]

    private static func endOfDevice(_ end: DeviceEnd) -> StoreRequirement {
        StoreRequirement("\(end.rawValue) ends the sessions and grants that it confirmed, and no others") { store in
            let party = try await RemoteLoginParty(in: store)
            let journey = TestJourneys.session(of: party.user)
            let step = JourneyStep(use: TestJourneys.use(), session: journey)
            #expect(try await store.recordJourneyStep(step) == .recorded)
            let bob = try Fixture.bob()
            let bobs = try await store.bind(TestDevice(), to: bob)
            let (bobSession, bobGrant) = try await party.logIn(by: bobs, of: bob)
            let (session, grant) = try await party.logIn(by: party.device)
            let (login, code) = (try await party.confirmed(), party.code())
            #expect(
                try await store.completeRemoteLogin(TestRemoteLogin.completion(of: login.id, code: code)) == .code)
            let other = try await store.bind(TestDevice(), to: party.user)
            let (otherSession, otherGrant) = try await party.logIn(by: other)

            for _ in 0..<2 { try await end.happen(to: party.device, of: party.user, in: store) }
            #expect(try await store.journeySession(session) == nil)
            #expect(try await store.appGrant(grant.id, of: nil) == nil)
            #expect(try await party.redeem(code) == .refused)
            for session in [journey.token, bobSession] { #expect(try await store.journeySession(session) != nil) }
            #expect(try await store.appGrant(bobGrant.id, of: nil) == bobGrant)
            // A replacement stops all other devices of the user.
            #expect((try await store.journeySession(otherSession) != nil) == (end != .replacement))
            #expect(try await store.appGrant(otherGrant.id, of: nil) == (end == .replacement ? nil : otherGrant))
        }
    }
}

/// The ways in which a device loses its access.
private enum DeviceEnd: String, CaseIterable {
    case block = "Blocking a device"
    case revocation = "Revoking a device"
    case replacement = "Replacing a device"

    func happen(to device: DeviceID, of user: UserID, in store: any RelyingPartyStore) async throws {
        switch self {
        case .block: _ = try await store.change(device, of: user, by: .operator, .block)
        case .revocation: _ = try await store.revoke(device, of: user)
        case .replacement:
            let binding = try TestDevice().binding(user: user, code: await store.newCode(for: user), policy: .one)
            _ = try await store.bind(binding, consuming: Fixture.use())
        }
    }
}

/// A user with a device, and an app.
struct RemoteLoginParty {
    let store: any RelyingPartyStore
    let user: UserID
    let device: DeviceID

    init(in store: any RelyingPartyStore) async throws {
        self.store = store
        user = try Fixture.alice()
        device = try await store.bind(TestDevice(), to: user)
        _ = try await store.putApp(TestApp.new(ClientID.default.rawValue), replacing: nil, by: .operator)
    }

    func code() -> AuthorizationCodeHash { Fixture.hash() }

    func grant(of login: RemoteLogin) -> RemoteLoginCompletion { TestRemoteLogin.grant(of: login.id) }

    /// Opens a login that the user has claimed, and confirms it.
    func confirmed(by device: DeviceID? = nil, of user: UserID? = nil) async throws -> RemoteLogin {
        let login = try TestRemoteLogin.new(of: user ?? self.user, isClaimed: true)
        try await store.remoteLogin(login, confirmedBy: device ?? self.device)
        return login
    }

    /// Logs an app in, with access that outlives the session.
    func logIn(by device: DeviceID, of user: UserID? = nil) async throws -> (JourneySessionHash, AppGrant) {
        let login = try await confirmed(by: device, of: user)
        let completion = TestRemoteLogin.grant(of: login.id, scopes: [.openID, .offlineAccess])
        let outcome = try await store.completeRemoteLogin(completion)
        guard case .grant(let grant) = outcome else { throw StepFailed(outcome: "\(outcome)") }
        return (completion.session, grant)
    }

    func redeem(
        _ code: AuthorizationCodeHash, by sender: CodeRedemption.Sender? = nil
    ) async throws -> CodeRedemptionOutcome {
        let usual = CodeRedemption.Sender(
            client: .default, redirectURI: try TestRemoteLogin.redirectURI(), challenge: nil, possessionKey: nil)
        return try await store.redeemAuthorizationCode(
            CodeRedemption(
                code: code, by: sender ?? usual, grant: .random(), hasRefreshToken: true,
                life: TestRemoteLogin.grantLife))
    }

    /// The kinds of all events, newest first.
    func events() async throws -> [AuditEvent.Kind] {
        try await store.auditEntries(of: nil, before: nil, limit: 1000).map(\.event.kind)
    }
}
