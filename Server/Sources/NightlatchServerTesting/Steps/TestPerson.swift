package import NightlatchRelyingParty
package import NightlatchWire
import Testing

/// A user with records of each kind.
package struct TestPerson: Sendable {
    package let user: UserID
    package let device: TestDevice
    package let id: DeviceID
    package let code: EnrolmentCodeMAC
    package let token: StoredToken
    package let session: JourneySessionHash
    package let grant: AppGrant
    /// An unused authorization code. It is in no list of records.
    package let appCode: AuthorizationCodeHash
    package let generation: Int
    /// The number of records of each kind.
    package let counts: [UserDataKind: Int] = [
        .appGrants: 1, .devices: 2, .enrolmentCodes: 3, .journeyKeys: 1, .journeySessions: 2, .operators: 1,
        .passwords: 1, .remoteLogins: 2, .transactions: 3, .webhookDeliveries: 1,
    ]

    package init(
        _ user: UserID, device: TestDevice = TestDevice(), in store: any RelyingPartyStore
    ) async throws {
        (self.user, self.device) = (user, device)
        try await store.setPassword(
            StoredPassword(
                hash: [UInt8](repeating: 1, count: 32), salt: [UInt8](repeating: 2, count: 16), memoryKibibytes: 64,
                passes: 1, lanes: 1), of: user)
        _ = try await store.setProfile(TestProfile.full(), of: user, replacing: .any, by: .backend)
        var policy = Policy()
        policy.leastAppVersion = AppVersion(rawValue: "2.0")
        _ = try await store.setPolicy(policy, of: .user(user), replacing: nil, by: .operator)
        let name = try #require(PartyName(rawValue: String("operator \(user)".prefix(64))))
        _ = try await store.changeOperator(
            .add(name: name, role: .viewer), of: user, keepingOwner: false, by: .operator)
        _ = try await store.putApp(TestApp.new(ClientID.default.rawValue), replacing: nil, by: .operator)

        id = try await store.bind(device, to: user)
        let old = try await store.bind(TestDevice(), to: user)
        _ = try await store.revoke(old, of: user)
        token = try await store.logIn(device, id: id, user: user)
        try await PinSteps(store: store, device: device, id: id, user: user).open(1, by: device.key.id)
        code = try await store.newCode(for: user)

        let (key, journeySession) = (try TestJourneys.device("key", of: user), TestJourneys.session(of: user))
        _ = try await store.recordJourneyStep(
            JourneyStep(
                use: TestJourneys.use(),
                bindings: [JourneyBinding(device: key, limit: nil, claims: #"{"note":"for \#(user)"}"#)],
                session: journeySession))
        appCode = try await Self.newCode(in: journeySession, in: store)
        let login = try TestRemoteLogin.new(of: user, isClaimed: true)
        try await store.remoteLogin(login, confirmedBy: id)
        let completion = TestRemoteLogin.grant(of: login.id, scopes: [.openID, .offlineAccess])
        guard case .grant(let grant) = try await store.completeRemoteLogin(completion) else {
            throw StepFailed(outcome: "no grant")
        }
        (session, self.grant) = (completion.session, grant)
        try await store.remoteLogin(TestRemoteLogin.new(of: user), confirmedBy: nil)

        let transactions = try (0..<3).map { _ in try TestTransaction.new(user: user) }
        for transaction in transactions { _ = try await store.createTransaction(transaction) }
        _ = try await store.decideTransaction(
            TestTransaction.decision(.confirm, on: transactions[0], by: id), consuming: Fixture.use())
        // One webhook for all persons of the store, with one event of each.
        if try await store.webhooks().isEmpty { _ = try await store.newWebhook([.transactionVoided]) }
        _ = try await store.voidTransaction(transactions[1].id, by: .backend)
        generation = try await store.journeyGeneration(of: user)
    }

    private static func newCode(
        in session: NewJourneySession, in store: any RelyingPartyStore
    ) async throws -> AuthorizationCodeHash {
        let code: AuthorizationCodeHash = Fixture.hash()
        let record = JourneySession(
            user: session.user, journey: session.journey, key: nil, beganAt: TestTime.current,
            expiresAt: TestTime.current + session.life)
        let authorization = AppAuthorization(
            client: .default, scopes: [.openID], session: session.token, of: record, possessionKey: nil)
        let isRecorded = try await store.recordAuthorizationCode(
            AuthorizationCode(
                authorization: authorization, redirectURI: TestApp.uri("https://app.example/callback"), challenge: nil,
                nonce: nil), as: code)
        guard isRecorded else { throw StepFailed(outcome: "no authorization code") }
        return code
    }

    /// Redeems the authorization code.
    package func redeemCode(in store: any RelyingPartyStore) async throws -> CodeRedemptionOutcome {
        try await store.redeemAuthorizationCode(
            CodeRedemption(
                code: appCode,
                by: CodeRedemption.Sender(
                    client: .default, redirectURI: TestApp.uri("https://app.example/callback"), challenge: nil,
                    possessionKey: nil),
                grant: .random(), hasRefreshToken: false, life: .seconds(60)))
    }
}
