package import NightlatchWire

/// Who calls: a device that is bound and not revoked, and has shown its possession key. Only ``DeviceAccess`` makes one.
package struct CallingDevice: Hashable, Sendable {
    package let user: UserID
    package let device: DeviceID

    fileprivate init(_ token: VerifiedAccessToken) {
        user = token.user
        device = token.device
    }
}

/// Lets devices in that bring an access token and a proof
/// ([RFC 9449, section 7](https://www.rfc-editor.org/rfc/rfc9449#section-7)).
package struct DeviceAccess<Store: RelyingPartyStore>: Sendable {
    let store: Store
    let accessTokens: AccessTokenVerifier
    let proofs: DPoPVerifier
    let clock: WallClock

    /// The store is asked at every call, so a revoked device and a possession key that was replaced are out at once, whatever
    /// their token says.
    package func admit(
        token: AccessToken?,
        proofs dpopProofs: [String],
        method: String,
        path: String
    ) async throws(Refusal) -> CallingDevice {
        let now = clock.now()
        guard let token else { throw .accessTokenRefused(.missing) }
        let verified: VerifiedAccessToken
        do {
            verified = try accessTokens.verify(token, now: now)
        } catch {
            throw .accessTokenRefused(error)
        }
        do {
            _ = try proofs.verify(
                dpopProofs,
                expecting: .init(method: method, path: path, accessToken: token, key: verified.possessionKey),
                now: now)
        } catch {
            throw .dpopProofRefused(error)
        }
        let registered = try await answer { () async throws(StoreError) in
            try await store.device(verified.device, of: verified.user)
        }
        guard let registered else { throw .accessTokenRefused(.unknownDevice) }
        guard registered.revokedAt == nil else { throw .deviceRevoked }
        guard registered.possessionKey == verified.possessionKey else { throw .accessTokenRefused(.keyReplaced) }
        return CallingDevice(verified)
    }
}
