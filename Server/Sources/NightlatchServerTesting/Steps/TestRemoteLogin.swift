package import NightlatchRelyingParty
package import NightlatchWire
import Testing

/// Remote logins for tests.
package enum TestRemoteLogin {
    package static let life = RemoteLogin.life
    package static let sessionLife: Duration = .seconds(3600)
    package static let grantLife: Duration = .seconds(7 * 24 * 60 * 60)

    package static func number(_ text: String = "42") throws -> RemoteLoginNumber {
        try #require(RemoteLoginNumber(rawValue: text))
    }

    package static func details(
        client: String = ClientID.default.rawValue,
        app: String = "App",
        place: String? = "192.0.2.7",
        message: String? = nil,
        hasNumber: Bool = true,
        requestedAt: NumericDate = TestTime.current,
        expiresAt: NumericDate = TestTime.current + life
    ) throws -> RemoteLoginDetails {
        RemoteLoginDetails(
            client: try #require(ClientID(rawValue: client)), app: try #require(AppName(rawValue: app)),
            place: try place.map { try #require(RemoteLoginPlace(rawValue: $0)) },
            message: try message.map { try #require(RemoteLoginMessage(rawValue: $0)) }, hasNumber: hasNumber,
            requestedAt: requestedAt, expiresAt: expiresAt)
    }

    /// Returns variants of ``details()``, each with one changed member.
    package static func changedDetails() throws -> [RemoteLoginDetails] {
        [
            try details(client: "other"), try details(app: "App."), try details(place: "192.0.2.8"),
            try details(place: nil), try details(message: "W4SCT"), try details(hasNumber: false),
            try details(requestedAt: TestTime.current + .seconds(-1)),
            try details(expiresAt: TestTime.current + life + .seconds(1)),
        ]
    }

    /// A login that waits, with the number ``number(_:)`` if its details have one.
    package static func new(
        id: RemoteLoginID = .random(), of user: UserID, details: RemoteLoginDetails? = nil, isClaimed: Bool = false
    ) throws -> RemoteLogin {
        let details = try details ?? Self.details()
        return RemoteLogin(
            id: id, user: user, details: details, number: details.hasNumber ? try number() : nil, isClaimed: isClaimed)
    }

    /// Returns a device's decision on a login, with the right number and the original details unless others are given.
    package static func decision(
        _ decision: TransactionDecision,
        on login: RemoteLogin,
        by device: DeviceID,
        user: UserID? = nil,
        details: RemoteLoginDetails? = nil
    ) -> NewRemoteLoginDecision {
        NewRemoteLoginDecision(
            login: login.id, user: user ?? login.user, device: device, decision: decision,
            detailsHash: (details ?? login.details).hash, number: decision == .confirm ? login.number : nil)
    }

    /// Returns a confirmation with another number than the login's.
    package static func confirmation(
        of login: RemoteLogin, by device: DeviceID, number: RemoteLoginNumber?
    ) -> NewRemoteLoginDecision {
        NewRemoteLoginDecision(
            login: login.id, user: login.user, device: device, decision: .confirm, detailsHash: login.details.hash,
            number: number)
    }

    /// Continues with a login by an authorization code.
    package static func completion(
        of login: RemoteLoginID,
        scopes: [AppScope] = [.openID],
        code: AuthorizationCodeHash = Fixture.hash(),
        challenge: CodeChallenge? = nil,
        nonce: String? = nil,
        possessionKey: KeyID? = nil
    ) throws -> RemoteLoginCompletion {
        RemoteLoginCompletion(
            login: login, session: Fixture.hash(), sessionLife: sessionLife, scopes: scopes,
            possessionKey: possessionKey,
            access: .code(code, redirectURI: try redirectURI(), challenge: challenge, nonce: nonce))
    }

    /// Continues with a login by a grant.
    package static func grant(
        of login: RemoteLoginID,
        scopes: [AppScope] = [.openID],
        hasRefreshToken: Bool = true,
        possessionKey: KeyID? = nil
    ) -> RemoteLoginCompletion {
        RemoteLoginCompletion(
            login: login, session: Fixture.hash(), sessionLife: sessionLife, scopes: scopes,
            possessionKey: possessionKey,
            access: .grant(.random(), hasRefreshToken: hasRefreshToken, life: grantLife))
    }

    package static func redirectURI() throws -> RedirectURI {
        try #require(RedirectURI(rawValue: "https://app.example/callback"))
    }
}

extension RelyingPartyStore {
    /// Opens a login, and confirms it with `device` unless that is nil.
    package func remoteLogin(_ login: RemoteLogin, confirmedBy device: DeviceID?) async throws {
        guard case .opened = try await openRemoteLogin(login) else { throw StepFailed(outcome: "not opened") }
        guard let device else { return }
        let outcome = try await decideRemoteLogin(
            TestRemoteLogin.decision(.confirm, on: login, by: device), consuming: Fixture.use())
        guard outcome == .recorded(.confirmed) else { throw StepFailed(outcome: "\(outcome)") }
    }
}
