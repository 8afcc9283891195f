import NightlatchWire

/// A request to register or change an app.
///
/// In JSON it has the members of ``App`` without `client_secret_hash`, and these:
///
/// | member | value |
/// |---|---|
/// | `revision` | the revision that is to be replaced; absent for a new app |
/// | `new_secret` | whether an app that already has a secret gets a new one |
package struct AppRequest: Sendable {
    /// The app. If it authenticates with a secret, the hash is the one of a new secret.
    package let app: App
    package let revision: Int?
    private let renewsSecret: Bool
    private let secret: AppSecret

    /// - Parameters:
    ///   - app: The app. A hash of a secret in it is ignored.
    ///   - revision: The revision that is to be replaced; nil for a new app.
    ///   - renewsSecret: Whether an app that already has a secret gets a new one.
    package init(_ app: App, replacing revision: Int?, renewsSecret: Bool) {
        secret = .random()
        var app = app
        if case .secret = app.authentication { app.authentication = .secret(secret.hash) }
        self.app = app
        self.revision = revision
        self.renewsSecret = renewsSecret
    }

    /// The outcome of a request.
    package enum Outcome: Sendable {
        /// The app, and its secret if it got a new one. Nothing can read that secret later.
        case stored(StoredApp, AppSecret?)
        /// The id is not new, or the app was changed or removed since it was read.
        case changed
        /// There are ``StoredApp/countLimit`` apps already.
        case tooMany
    }

    /// Registers or changes the app.
    ///
    /// An app that had a secret keeps it, unless the request asks for a new one. If the answer is lost, so is a new
    /// secret: the same request then gets `changed`, and the caller asks for another one.
    package func put(
        in store: some AppStore, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> Outcome {
        // The id of the console is never free: remote logins that name it are sign-ins of operators.
        guard app.id != .console else { return .changed }
        var app = app
        var newSecret: AppSecret?
        if case .secret = app.authentication {
            newSecret = secret
            if !renewsSecret, revision != nil, let kept = try await currentSecret(in: store) {
                app.authentication = .secret(kept)
                newSecret = nil
            }
        }
        // If the app was changed since its secret was read, its revision is another one, and nothing is stored.
        return switch try await store.putApp(app, replacing: revision, by: actor) {
        case .stored(let stored): .stored(stored, newSecret)
        case .changed: .changed
        case .tooMany: .tooMany
        }
    }

    private func currentSecret(in store: some AppStore) async throws(RelyingPartyStoreError) -> AppSecretHash? {
        let current = try await store.apps().first { $0.app.id == app.id }
        guard case .secret(let hash)? = current?.app.authentication else { return nil }
        return hash
    }
}

extension AppRequest: Decodable {
    package init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        self.init(
            try App(members, id: members.value("client_id")) { AppSecret.random().hash },
            replacing: try members.optionalValue("revision"),
            renewsSecret: try members.optionalValue("new_secret") ?? false)
    }
}
