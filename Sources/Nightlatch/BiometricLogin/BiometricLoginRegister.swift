import NightlatchWire

/// Reads the record and changes it by compare-and-swap, so only one of two accounts that enable biometric login at the
/// same time succeeds.
struct BiometricLoginRegister: Sendable {
    let store: any SecureStore

    func read() async throws(RegistryError) -> BiometricLoginRecord? {
        var stored: StoredRecord?
        do {
            stored = try await store.read()
            // Ask again: a single wrong answer of the store must not look as if no account had biometric login.
            if stored == nil { stored = try await store.read() }
        } catch {
            throw RegistryError(.biometricLogin, error)
        }
        guard let stored else { return nil }
        return try BiometricLoginRecord(stored)
    }

    /// Returns the record of `vaultID`, and creates it if there is no record at all; nil if another vault has it.
    func claim(for vaultID: VaultID) async throws(RegistryError) -> BiometricLoginRecord? {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds those.
        while true {
            if let known = try await read() { return known.vaultID == vaultID ? known : nil }
            guard try await write(BiometricLoginRecord(vaultID: vaultID), over: nil, &retries) else { continue }
            do {
                try await retries.again()
            } catch {
                throw RegistryError(.biometricLogin, error)
            }
        }
    }

    /// Stores the stage of the record of `vaultID`. Does nothing if the vault has no record any more.
    func set(_ stage: BiometricLoginStage, for vaultID: VaultID) async throws(RegistryError) {
        var retries = ConflictRetries()
        while let known = try await read(), known.vaultID == vaultID, known.stage != stage {
            var next = known
            next.stage = stage
            if try await write(next, over: known, &retries) { return }
        }
    }

    /// Removes the record of `vaultID`, if its stage is still `stage`. Any other stage means that another call has
    /// begun something new.
    func release(_ vaultID: VaultID, at stage: BiometricLoginStage) async throws(RegistryError) {
        var retries = ConflictRetries()
        while let known = try await read(), known.vaultID == vaultID, known.stage == stage {
            do {
                return try await store.remove(expecting: known.revision)
            } catch {
                guard error.code == .conflict else { throw RegistryError(.biometricLogin, error) }
            }
            try await note(&retries, replacing: known)
        }
    }

    /// - Returns: Whether the record was written; if not, another caller has written first.
    private func write(
        _ record: BiometricLoginRecord,
        over known: BiometricLoginRecord?,
        _ retries: inout ConflictRetries
    ) async throws(RegistryError) -> Bool {
        let next = try record.stored()
        do throws(StoreError) {
            try await store.replace(next, expecting: known?.revision)
            return true
        } catch {
            guard error.code == .conflict else { throw RegistryError(.biometricLogin, error) }
        }
        try await note(&retries, replacing: known)
        return false
    }

    private func note(
        _ retries: inout ConflictRetries,
        replacing known: BiometricLoginRecord?
    ) async throws(RegistryError) {
        do {
            try await retries.conflict(replacing: known?.revision)
        } catch {
            throw RegistryError(.biometricLogin, error)
        }
    }
}
