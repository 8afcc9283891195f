import NightlatchWire

/// Which of a process's master keys seals, and the kept secrets, as the store says.
package struct MasterKeyStart: Sendable {
    package let secrets: RelyingPartySecrets
    /// The change that records the key; nil if the store has a state.
    private let first: MasterKeyChange?
    /// Whether the key of the store's state is lost, so that the change is needed before a signing key can be added.
    package let isLost: Bool

    /// Reads the state of `store`, and writes nothing.
    ///
    /// A store without a state was never rotated: the key that opens its signing keys seals. If it has no signing keys
    /// either, the first key of `keyring` seals.
    ///
    /// If the store names a key that is lost, and its signing keys were forgotten, the first key of `keyring` replaces
    /// it, if `isReplacingLost`.
    ///
    /// - Throws: ``RelyingPartyStartError`` `masterKeyDoesNotFit` if no key of `keyring` is the right one, or if a
    ///   rotation has not ended and `keyring` lacks one of its two keys.
    package init(
        _ keyring: MasterKeyring, in store: some MasterKeyStore & SigningKeyStore, isReplacingLost: Bool = false
    ) async throws(RelyingPartyStartError) {
        let (state, signingKeys): (MasterKeyState?, [SealedSigningKey])
        do {
            state = try await store.masterKeyState()
            signingKeys = try await store.signingKeys()
        } catch {
            throw .store(error)
        }
        if let state {
            do {
                secrets = try Self.secrets(keyring, state)
                (first, isLost) = (nil, false)
            } catch {
                guard isReplacingLost, signingKeys.isEmpty, keyring.key(state.sealing) == nil,
                    let key = keyring.keys.first, keyring.adopt(key.id)
                else { throw error }
                let kept = KeptSecrets(derivedFrom: key)
                guard let box = kept.sealed(under: key) else { throw .noSigningKey }
                secrets = RelyingPartySecrets(keyring: keyring, kept: kept)
                (first, isLost) = (.replaceLost(state.sealing, by: key.id, keptSecrets: box), true)
            }
            return
        }
        isLost = false
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
        switch outcome {
        case .done(let state), .differs(let state?): return try Self.secrets(secrets.keyring, state)
        case .differs(nil), .waiting, .tooEarly: throw .masterKeyDoesNotFit
        }
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
