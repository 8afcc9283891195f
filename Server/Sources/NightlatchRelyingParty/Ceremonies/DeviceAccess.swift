package import NightlatchTokenVerification
package import NightlatchWire

/// Who calls: a device that is bound and not revoked, whose login holds, and that has shown its possession key. Only
/// ``DeviceAccess`` makes one.
package struct CallingDevice: Hashable, Sendable {
    package let user: UserID
    package let device: DeviceID

    fileprivate init(_ token: VerifiedAccessToken) {
        user = token.claims.subject
        device = token.claims.device
    }
}

/// Lets devices in that bring an access token and a proof
/// ([RFC 9449, section 7](https://www.rfc-editor.org/rfc/rfc9449#section-7)).
package struct DeviceAccess: Sendable {
    package let sessions: Sessions
    let keys: TokenKeys
    let proofs: DPoPVerifier
    let clock: WallClock

    package init(sessions: Sessions, keys: TokenKeys, proofs: DPoPVerifier, clock: WallClock) {
        self.sessions = sessions
        self.keys = keys
        self.proofs = proofs
        self.clock = clock
    }

    /// The store is asked at every call, so a revoked device, a possession key that was replaced and a login that was ended are out
    /// at once, whatever their token says.
    package func admit(
        token: AccessToken?,
        proofs dpopProofs: [String],
        method: String,
        path: String
    ) async throws(Refusal) -> CallingDevice {
        let now = clock.now()
        guard let token else { throw .accessTokenRefused(.missing) }
        let verified = try await keys.verify(token, now: now)
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
