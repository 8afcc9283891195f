import NightlatchWire

/// The boxes of a state, and the master key that they are sealed under.
extension PinHardening {
    /// The keys of all epochs.
    package var keys: [SealedPinKey] { [current, candidate?.key].compactMap(\.self) }

    /// The value of the column that stores use to find and count states under another master key.
    ///
    /// It is the id of the key if it seals all boxes, and empty if there are none. `?` if the boxes are under two keys,
    /// or if a release without rotation of master keys sealed one. It is null only in rows that such a release wrote.
    package var sealedUnder: String {
        let ids = Set(keys.map(\.masterKey))
        return ids.isEmpty ? "" : (ids.count == 1 ? ids.first??.rawValue : nil) ?? "?"
    }

    /// Replaces boxes. A key that is not in `replacements` exactly as it is stored stays.
    package mutating func replace(_ replacements: [SealedPinKey: SealedPinKey]) {
        if let key = current, let new = replacements[key], new.isBoxed(like: key) { current = new }
        if let old = candidate, let new = replacements[old.key], new.isBoxed(like: old.key) {
            candidate = Candidate(key: new, opener: old.opener, code: old.code)
        }
    }
}

extension SealedPinKey {
    fileprivate func isBoxed(like other: Self) -> Bool { epoch == other.epoch && publicKey == other.publicKey }
}

extension PinStep {
    /// Checks that the process can open the key that the step needs, before anything is charged.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `unavailable`. Another process may carry the step out.
    package func requireOpenable(in state: PinHardening) throws(RelyingPartyStoreError) {
        guard case .guess(let guess, _) = action, let knownKeys, let id = state.key(of: guess.epoch)?.masterKey,
            !knownKeys.contains(id)
        else { return }
        throw RelyingPartyStoreError(.unavailable)
    }

    /// The key that the step stores; nil if it stores none.
    package var newKey: SealedPinKey? { if case .open(let key, _) = action { key } else { nil } }
}
