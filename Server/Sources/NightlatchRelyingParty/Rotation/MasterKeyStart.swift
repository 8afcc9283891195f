import NightlatchWire

/// Which of a process's master keys seals, and the kept secrets, as the store says.
package struct MasterKeyStart: Sendable {
    package let secrets: RelyingPartySecrets
    /// The change that records the key; nil if the store has a state.
    private let first: MasterKeyChange?

    /// Reads the state of `store`, and writes nothing.
    ///
    /// A store without a state was never rotated: the key that opens its signing keys seals. If it has no signing keys
    /// either, the first key of `keyring` seals.
    ///
    /// - Throws: ``RelyingPartyStartError`` `masterKeyDoesNotFit` if no key of `keyring` is the right one, or if a
    ///   rotation has not ended and `keyring` lacks one of its two keys.
    package init(
        _ keyring: MasterKeyring, in store: some MasterKeyStore & SigningKeyStore
    ) async throws(RelyingPartyStartError) {
        let (state, signingKeys): (MasterKeyState?, [SealedSigningKey])
        do {
            state = try await store.masterKeyState()
            signingKeys = state == nil ? try await store.signingKeys() : []
        } catch {
            throw .store(error)
        }
        if let state {
            secrets = try Self.secrets(keyring, state)
            first = nil
            return
        }
        let fitting = keyring.keys.first { key in signingKeys.allSatisfy { Self.opens($0, key) } }
        guard let fitting, keyring.adopt(fitting.id) else { throw .masterKeyDoesNotFit }
        let kept = KeptSecrets(derivedFrom: fitting)
        guard let box = kept.sealed(under: fitting) else { throw .noSigningKey }
        secrets = RelyingPartySecrets(keyring: keyring, kept: kept)
        first = .establish(fitting.id, keptSecrets: box)
    }

    /// Records the key, if the store had no state. If another process was first, its record holds.
    ///
    /// - Returns: The secrets by the state that is stored.
    package func record(in store: some MasterKeyStore) async throws(RelyingPartyStartError) -> RelyingPartySecrets {
        guard let first else { return secrets }
        let outcome: MasterKeyChangeOutcome
        do {
            outcome = try await store.changeMasterKey(first)
        } catch {
            throw .store(error)
        }
        guard case .done(let state) = outcome else { throw .masterKeyDoesNotFit }
        return try Self.secrets(secrets.keyring, state)
    }

    private static func secrets(
        _ keyring: MasterKeyring, _ state: MasterKeyState
    ) throws(RelyingPartyStartError) -> RelyingPartySecrets {
        guard let key = keyring.key(state.sealing), let kept = KeptSecrets(box: state.keptSecrets, under: key),
            keyring.adopt(key.id)
        else { throw .masterKeyDoesNotFit }
        // Until the rotation has ended, boxes are under either key.
        if state.phase != .settled, let previous = state.previous, keyring.key(previous) == nil {
            throw .masterKeyDoesNotFit
        }
        return RelyingPartySecrets(keyring: keyring, kept: kept)
    }

    private static func opens(_ key: SealedSigningKey, _ masterKey: MasterKey) -> Bool {
        do {
            _ = try TokenSigningKey(key, under: masterKey)
            return true
        } catch {
            return false
        }
    }
}
