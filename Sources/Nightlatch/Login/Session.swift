public import Foundation
public import NightlatchWire

/// A login: an access token, and the possession key that proves each use of the token.
public struct Session: Sendable {
    public let user: UserID
    public let device: DeviceID
    public let accessToken: AccessToken
    /// The lifetime of the access token, counted from when it was issued.
    public let life: Duration
    let relyingParty: any RelyingParty
    let possessionKey: any DeviceKey
    /// The result of the policy that came with this login. ``OpenVault/policy()`` returns the policy that is kept.
    public let policy: DeliveredPolicy

    /// Returns the devices of the session's user.
    public func devices() async throws(SessionError) -> DeviceList {
        try await proved(.devices, path: Route.devices.path).send { proof throws(RelyingPartyError) in
            try await relyingParty.devices(Authorization(accessToken: accessToken, proof: proof))
        }
    }

    /// Renames one of the user's devices, which may be this one.
    public func rename(_ device: DeviceID, to name: DeviceName) async throws(SessionError) -> DeviceSummary {
        let path = Route.renameDevice.path(device: device)
        return try await proved(.renameDevice, path: path).send { proof throws(RelyingPartyError) in
            try await relyingParty.rename(
                device, RenameDeviceRequest(name: name), Authorization(accessToken: accessToken, proof: proof))
        }
    }

    /// Blocks one of the user's devices, which may be this one.
    ///
    /// A blocked device keeps its keys, and cannot log in until it is unblocked. A revoked device stays revoked, as the
    /// returned status shows.
    public func block(_ device: DeviceID) async throws(SessionError) -> DeviceSummary {
        let path = Route.blockDevice.path(device: device)
        return try await proved(.blockDevice, path: path).send { proof throws(RelyingPartyError) in
            try await relyingParty.block(device, Authorization(accessToken: accessToken, proof: proof))
        }
    }

    /// Unblocks a device that the user has blocked, so that it can log in again.
    ///
    /// If an operator has blocked the device, the relying party refuses with `ProblemCode.blockedByOperator`. A revoked
    /// device stays revoked.
    public func unblock(_ device: DeviceID) async throws(SessionError) -> DeviceSummary {
        let path = Route.unblockDevice.path(device: device)
        return try await proved(.unblockDevice, path: path).send { proof throws(RelyingPartyError) in
            try await relyingParty.unblock(device, Authorization(accessToken: accessToken, proof: proof))
        }
    }

    /// Revokes one of the user's devices, which may be this one. Idempotent.
    public func revoke(_ device: DeviceID) async throws(SessionError) -> DeviceSummary {
        let path = Route.revokeDevice.path(device: device)
        return try await proved(.revokeDevice, path: path).send { proof throws(RelyingPartyError) in
            try await relyingParty.revoke(device, Authorization(accessToken: accessToken, proof: proof))
        }
    }

    /// Returns the authorization for a request to another server that accepts the relying party's access tokens, such
    /// as the app's own backend.
    ///
    /// A proof is valid for one request. A server that requires a nonce answers 401 with a `DPoP-Nonce` header: repeat
    /// the request with that nonce, and keep the newest nonce of each server.
    ///
    /// - Parameters:
    ///   - method: The request's HTTP method, in capitals.
    ///   - url: The request's URL. The query and the fragment are ignored.
    ///   - nonce: The newest nonce of that server.
    public func authorization(
        method: String,
        url: URL,
        nonce: DPoPNonce? = nil
    ) async throws(SessionError) -> Authorization {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.query = nil
        parts?.fragment = nil
        let claims = DPoPClaims(
            method: method, url: parts?.string ?? url.absoluteString, issuedAt: NumericDate(Date()),
            accessTokenHash: AccessTokenHash(of: accessToken), nonce: nonce)
        do {
            return Authorization(
                accessToken: accessToken, proof: try await possessionKey.sign(claims, carryingKey: true))
        } catch {
            throw .key(error)
        }
    }

    func proved(_ route: Route, path: String) -> ProvedRequest {
        ProvedRequest(
            key: possessionKey, relyingParty: relyingParty, method: route.method, path: path, accessToken: accessToken)
    }
}

/// The result of the policy that a relying party may deliver with a login.
public enum DeliveredPolicy: Hashable, Sendable {
    /// The vault keeps the policy that it had, if any: the relying party delivered none, or an older one.
    case unchanged
    /// The vault keeps this policy now. ``LocalAuthService`` applies it; without profiles, apply it to the settings of
    /// your vault.
    case kept(KeptPolicy)
    /// A policy was delivered and not kept. The login is valid. The next login asks for the policy again.
    case notKept(PolicyError)
}

/// An error of a request within a session.
public enum SessionError: Error, Hashable, Sendable {
    /// The possession key could not be used.
    case key(DeviceKeyError)
    /// The relying party did not answer, or it refused. With `ProblemCode.accessTokenRefused`, get a new session.
    case relyingParty(RelyingPartyError)
}
