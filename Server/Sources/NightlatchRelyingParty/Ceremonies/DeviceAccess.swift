package import NightlatchTokenVerification
package import NightlatchWire

/// The authenticated caller: a device that is bound and not revoked, has a valid login and has proved possession of its
/// possession key.
///
/// Only ``DeviceAccess`` makes such a value.
package struct CallingDevice: Hashable, Sendable {
    package let user: UserID
    package let device: DeviceID

    fileprivate init(_ token: VerifiedAccessToken) {
        user = token.claims.subject
        device = token.claims.device
    }
}

/// Authenticates devices by an access token and a DPoP proof ([RFC 9449, section
/// 7](https://www.rfc-editor.org/rfc/rfc9449#section-7)).
package struct DeviceAccess: Sendable {
    package let sessions: Sessions
    let apps: AppRegistry
    let keys: TokenKeys
    let proofs: DPoPVerifier
    let clock: WallClock

    package init(sessions: Sessions, apps: AppRegistry, keys: TokenKeys, proofs: DPoPVerifier, clock: WallClock) {
        self.sessions = sessions
        self.apps = apps
        self.keys = keys
        self.proofs = proofs
        self.clock = clock
    }

    /// Authenticates the caller of a route.
    ///
    /// It queries the store at every call: a revoked device, a replaced possession key and an ended login lose access
    /// at once, although their access token has not expired.
    package func admit(
        token: AccessToken?,
        proofs dpopProofs: [String],
        method: String,
        path: String
    ) async throws(Refusal) -> CallingDevice {
        let now = clock.now()
        guard let token else { throw .accessTokenRefused(.missing) }
        let clients = try await answer { () async throws(RelyingPartyStoreError) in
            try await apps.deviceClients(now: now)
        }
        let verified = try await keys.verify(token, from: clients, now: now)
        do {
            _ = try proofs.verify(
                dpopProofs,
                expecting: .init(
                    method: method, path: path, accessToken: token,
                    key: verified.claims.confirmation.possessionKey),
                now: now)
        } catch {
            throw Refusal(error)
        }
        _ = try await sessions.require(for: verified)
        return CallingDevice(verified)
    }
}
