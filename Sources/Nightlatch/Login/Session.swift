public import Foundation
public import NightlatchWire

/// A login that holds: an access token, and the possession key that must vouch for each use of it.
public struct Session: Sendable {
    public let user: UserID
    public let device: DeviceID
    public let accessToken: AccessToken
    /// How long the access token lives from when it was given.
    public let life: Duration
    let relyingParty: any RelyingParty
    let possessionKey: any DeviceKey

    /// The devices of the session's user.
    public func devices() async throws(SessionError) -> DeviceList {
        try await proved(.devices, path: Route.devices.path).send { proof throws(RelyingPartyError) in
            try await relyingParty.devices(Authorization(accessToken: accessToken, proof: proof))
        }
    }

    /// Gives one of the user's devices another name, this one or another.
    public func rename(_ device: DeviceID, to name: DeviceName) async throws(SessionError) -> DeviceSummary {
        let path = Route.renameDevice.path(device: device)
        return try await proved(.renameDevice, path: path).send { proof throws(RelyingPartyError) in
            try await relyingParty.rename(
                device, RenameDeviceRequest(name: name), Authorization(accessToken: accessToken, proof: proof))
        }
    }

    /// Blocks one of the user's devices, this one or another: it keeps its keys, and cannot log in until it is unblocked. A device that
    /// was revoked stays so, which the answer's status tells.
    public func block(_ device: DeviceID) async throws(SessionError) -> DeviceSummary {
        let path = Route.blockDevice.path(device: device)
        return try await proved(.blockDevice, path: path).send { proof throws(RelyingPartyError) in
            try await relyingParty.block(device, Authorization(accessToken: accessToken, proof: proof))
        }
    }

    /// Lets a device log in again that the user has blocked. What an operator has blocked is refused with
    /// `ProblemCode.blockedByOperator`; a device that was revoked stays so.
    public func unblock(_ device: DeviceID) async throws(SessionError) -> DeviceSummary {
        let path = Route.unblockDevice.path(device: device)
        return try await proved(.unblockDevice, path: path).send { proof throws(RelyingPartyError) in
            try await relyingParty.unblock(device, Authorization(accessToken: accessToken, proof: proof))
        }
    }

    /// Revokes one of the user's devices, this one or another. A device that is revoked already stays so.
    public func revoke(_ device: DeviceID) async throws(SessionError) -> DeviceSummary {
        let path = Route.revokeDevice.path(device: device)
        return try await proved(.revokeDevice, path: path).send { proof throws(RelyingPartyError) in
            try await relyingParty.revoke(device, Authorization(accessToken: accessToken, proof: proof))
        }
    }

    /// What a request to another server brings that takes the relying party's access tokens: the app's own backend, say.
    ///
    /// A proof serves one request. A server that wants a nonce answers 401 with `DPoP-Nonce` in its header: ask again with that one,
    /// and keep the newest of each server.
    ///
    /// - Parameters:
    ///   - method: The request's method, in capitals.
    ///   - url: Its address; query and fragment do not count.
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

/// Why a request within a session brought nothing.
public enum SessionError: Error, Hashable, Sendable {
    /// The possession key could not be used.
    case key(DeviceKeyError)
    /// The relying party gave no answer, or no yes. With `ProblemCode.accessTokenRefused` get a new session.
    case relyingParty(RelyingPartyError)
}
