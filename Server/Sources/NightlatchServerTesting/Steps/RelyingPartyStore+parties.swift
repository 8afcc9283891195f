package import NightlatchRelyingParty
package import NightlatchWire

/// Verbs with the party that usually calls them, for tests to which the party does not matter.
extension RelyingPartyStore {
    package func setPassword(_ password: StoredPassword, of user: UserID) async throws(RelyingPartyStoreError) {
        try await setPassword(password, of: user, by: .backend)
    }
}

extension SigningKeyStore {
    package func addSigningKey(
        _ key: SealedSigningKey, after newest: KeyID?
    ) async throws(RelyingPartyStoreError) -> [SealedSigningKey] {
        try await addSigningKey(key, after: newest, by: .server)
    }

    package func rotateSigningKey(
        under masterKey: MasterKey, now: NumericDate
    ) async throws(SigningKeyRotationError) -> ComingSigningKey {
        try await rotateSigningKey(under: masterKey, now: now, by: .server)
    }
}
