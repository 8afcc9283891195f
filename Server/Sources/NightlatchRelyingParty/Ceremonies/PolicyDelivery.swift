package import NightlatchWire

/// Delivers the policy of a user at an app to a device that has an older one.
package struct PolicyDelivery: Sendable {
    private let store: any RelyingPartyStore
    private let key: PinAnswerKey
    private let issuer: Issuer

    package init(store: any RelyingPartyStore, key: PinAnswerKey, issuer: Issuer) {
        self.store = store
        self.key = key
        self.issuer = issuer
    }

    /// Returns the signed policy of `user` at `client`, if it is newer than the one that the device has.
    ///
    /// Returns nil if the policy cannot be read now, because a login must not fail for that. The device gets it with a
    /// later answer. The store counts the error.
    ///
    /// - Parameters:
    ///   - user: The user of the device.
    ///   - client: The app that bound the device.
    ///   - known: The revision that the device states; nil for a device that knows no policies.
    ///   - now: The time of the signature.
    func policy(
        of user: UserID, at client: ClientID, newerThan known: PolicyRevision?, now: NumericDate
    ) async -> String? {
        guard let known else { return nil }
        do {
            guard let effective = EffectivePolicy(try await store.policies(of: client, and: user)),
                effective.revision > known
            else { return nil }
            return try key.sign(
                PolicyClaims(
                    issuer: issuer, audience: client, subject: user, issuedAt: now, revision: effective.revision,
                    policy: effective.policy))
        } catch {
            return nil
        }
    }
}
