import Foundation
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
        let authorization = try await authorization(for: .devices, path: Route.devices.path)
        do {
            return try await relyingParty.devices(authorization)
        } catch {
            throw .relyingParty(error)
        }
    }

    /// Revokes one of the user's devices, this one or another. A device that is revoked already stays so.
    public func revoke(_ device: DeviceID) async throws(SessionError) -> DeviceSummary {
        let authorization = try await authorization(for: .revokeDevice, path: Route.revokeDevice.path(device: device))
        do {
            return try await relyingParty.revoke(device, authorization)
        } catch {
            throw .relyingParty(error)
        }
    }

    func authorization(for route: Route, path: String) async throws(SessionError) -> Authorization {
        do {
            let proof = try await possessionKey.dpopProof(
                for: route.method, path: path, at: relyingParty.issuer, accessToken: accessToken)
            return Authorization(accessToken: accessToken, proof: proof)
        } catch {
            throw .key(error)
        }
    }
}

/// Why a request within a session brought nothing.
public enum SessionError: Error, Hashable, Sendable {
    /// The possession key could not be used.
    case key(DeviceKeyError)
    /// The relying party gave no answer, or no yes. With `ProblemCode.accessTokenRefused` get a new session.
    case relyingParty(RelyingPartyError)
}

extension DeviceKey {
    /// A DPoP proof for one request ([RFC 9449, section 4.2](https://www.rfc-editor.org/rfc/rfc9449#section-4.2)).
    func dpopProof(
        for method: Route.Method,
        path: String,
        at issuer: Issuer,
        accessToken: AccessToken? = nil
    ) async throws(DeviceKeyError) -> String {
        let claims = DPoPClaims(
            method: method.rawValue, url: issuer.rawValue + path, issuedAt: NumericDate(Date()),
            accessTokenHash: accessToken.map(AccessTokenHash.init(of:)))
        return try await sign(claims, carryingKey: true)
    }
}
