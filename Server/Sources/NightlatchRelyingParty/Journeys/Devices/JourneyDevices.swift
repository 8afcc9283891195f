import Foundation
import NightlatchTokenVerification
package import NightlatchWire

/// The operations of a client with a session: it reads and ends the session, and manages its user's devices.
package struct JourneyDevices: Sendable {
    let configuration: JourneyConfiguration
    let store: any RelyingPartyStore

    package init(configuration: JourneyConfiguration, store: any RelyingPartyStore) {
        self.configuration = configuration
        self.store = store
    }

    /// A client that has presented a valid session.
    package struct Caller: Sendable {
        let token: JourneyToken
        let session: JourneySession
    }

    /// A client that may manage a user's devices.
    package struct Keeper: Sendable {
        let user: UserID
        /// The user's own session; nil for the backend.
        let token: JourneyToken?
        let actor: ActingParty
    }

    /// Authenticates a client by the token of a live session.
    package func admit(_ token: String?) async throws(Refusal) -> Caller {
        guard let token else { throw .accessTokenRefused(.missing) }
        guard let token = JourneyToken(token) else { throw .accessTokenRefused(.sessionEnded) }
        let session = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.journeySession(token.hash)
        }
        guard let session, session.isOfJourney else { throw .accessTokenRefused(.sessionEnded) }
        return Caller(token: token, session: session)
    }

    /// Authenticates as ``admit(_:)`` does, and checks that the path names the session's user, by id or by universal
    /// id.
    package func admit(_ token: String?, user: String?) async throws(Refusal) -> Keeper {
        let caller = try await admit(token)
        let names = [caller.session.user.rawValue, configuration.realm.universalID(of: caller.session.user)]
        guard let user, names.contains(where: user.isExactly) else { throw .notFound }
        return Keeper(user: caller.session.user, token: caller.token, actor: .user)
    }

    /// Admits the backend, for the devices of any user.
    ///
    /// A name that is the universal id of one user and the id of another user is ambiguous: it gives `notFound`.
    package func admitBackend(user: String?, by actor: ActingParty) async throws(Refusal) -> Keeper {
        guard let user else { throw .notFound }
        let id = UserID(rawValue: user)
        guard let meant = configuration.realm.user(universalID: user) else {
            guard let id else { throw .notFound }
            return Keeper(user: id, token: nil, actor: actor)
        }
        if let id {
            let other = try await answer { () async throws(RelyingPartyStoreError) in try await store.user(id) }
            guard other == nil else { throw .notFound }
        }
        return Keeper(user: meant, token: nil, actor: actor)
    }

    /// Describes the session.
    ///
    /// Beyond PingAM's members, it includes the journey and the signed content. A backend compares that content with
    /// the content that it asked the user to sign.
    package func information(for caller: Caller) async throws(Refusal) -> JSONValue {
        let (user, session) = (caller.session.user, caller.session)
        let end = session.expiresAt.date.formatted(.iso8601)
        let signer = session.key.map { [JSONObject.Member("signedBy", .string($0.rawValue))] } ?? []
        let signed = try await answer { () async throws(RelyingPartyStoreError) in try session.signed?.json() }
        return .object(
            [
                .init("username", .string(user.rawValue)),
                .init("universalId", .string(configuration.realm.universalID(of: user))),
                .init("realm", .string(configuration.realm.path)),
                .init("latestAccessTime", .string(session.beganAt.date.formatted(.iso8601))),
                .init("maxIdleExpirationTime", .string(end)),
                .init("maxSessionExpirationTime", .string(end)),
                .init("journey", .string(session.journey)),
            ] + signer + (signed.map { [.init("signed", $0)] } ?? []))
    }

    /// Ends the caller's session.
    package func signOff(_ caller: Caller) async throws(Refusal) -> JSONValue {
        try await answer { () async throws(RelyingPartyStoreError) in
            try await store.endJourneySession(caller.token.hash)
        }
        return .object([.init("result", .string("Successfully logged out"))])
    }

    package func list(for keeper: Keeper) async throws(Refusal) -> JSONValue {
        let devices = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.journeyDevices(of: keeper.user)
        }
        return Self.page(of: devices)
    }

    /// The kinds of devices that PingAM has and this relying party does not: their lists are empty.
    package static let unservedKinds = ["2fa/oath", "2fa/push", "2fa/webauthn", "profile"]

    /// A list of devices in the protocol's form.
    package static func page(of devices: [JourneyDevice]) -> JSONValue {
        .object([
            .init("result", .array(devices.map { $0.json(with: [.init("deviceManagementStatus", .bool(false))]) })),
            .init("resultCount", .integer(devices.count)),
            .init("pagedResultsCookie", .null),
            .init("totalPagedResultsPolicy", .string("NONE")),
            .init("totalPagedResults", .integer(-1)),
            .init("remainingPagedResults", .integer(-1)),
        ])
    }

    /// Renames a device. Other members of `body` are ignored.
    package func rename(_ id: String?, to body: JSONValue, for keeper: Keeper) async throws(Refusal) -> JSONValue {
        guard let name = body["deviceName"]?.string.flatMap(DeviceName.init) else {
            throw .malformed(detail: "deviceName must be a string: \(DeviceNameRule.requirement).")
        }
        guard let id = id.flatMap(JourneyKeyID.init) else { throw .notFound }
        let device = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.renameJourneyDevice(id, of: keeper.user, to: name, by: keeper.actor)
        }
        guard let device else { throw .notFound }
        return device.json(with: [.init("recoveryCodes", .array([]))])
    }

    package func remove(_ id: String?, for keeper: Keeper) async throws(Refusal) -> JSONValue {
        guard let id = id.flatMap(JourneyKeyID.init) else { throw .notFound }
        let device = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.removeJourneyDevice(
                id, of: keeper.user, by: keeper.actor, keeping: keeper.token?.hash)
        }
        guard let device else { throw .notFound }
        return device.json(with: [.init("deviceManagementStatus", .bool(false))])
    }
}
