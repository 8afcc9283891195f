import NightlatchWire

/// Reads the one record and changes it by compare-and-swap, so that of two accounts that enable biometric login at once one does.
struct BiometricLoginRegister: Sendable {
    let store: any SecureStore

    func read() async throws(BiometricLoginRecordError) -> BiometricLoginRecord? {
        var stored: StoredRecord?
        do {
            stored = try await store.read()
            // One wrong answer must not look like a device on which no account has it.
            if stored == nil { stored = try await store.read() }
        } catch {
            throw .store(error)
        }
        guard let stored else { return nil }
        return try BiometricLoginRecord(stored)
    }

    /// The record of `vaultID`, which is made if there is none at all; nil if another vault has it.
    func claim(for vaultID: VaultID) async throws(BiometricLoginRecordError) -> BiometricLoginRecord? {
        var retries = ConflictRetries()
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            if let known = try await read() { return known.vaultID == vaultID ? known : nil }
            guard try await write(BiometricLoginRecord(vaultID: vaultID), over: nil, &retries) else { continue }
            do {
                try await retries.again()
            } catch {
                throw .store(error)
            }
        }
    }

    /// Writes how far the record of `vaultID` has come. Does nothing if the vault has none any more.
    func set(_ stage: BiometricLoginStage, for vaultID: VaultID) async throws(BiometricLoginRecordError) {
        var retries = ConflictRetries()
        while let known = try await read(), known.vaultID == vaultID, known.stage != stage {
            var next = known
            next.stage = stage
            if try await write(next, over: known, &retries) { return }
        }
    }

    /// Removes the record of `vaultID`, if it has one that has come as far as `stage`: with any other somebody has begun anew.
    func release(_ vaultID: VaultID, at stage: BiometricLoginStage) async throws(BiometricLoginRecordError) {
        var retries = ConflictRetries()
        while let known = try await read(), known.vaultID == vaultID, known.stage == stage {
            do {
                return try await store.remove(expecting: known.revision)
            } catch {
                guard error.code == .conflict else { throw .store(error) }
            }
            try await note(&retries, replacing: known)
        }
    }

    /// - Returns: Whether it was written; if not, someone else has written.
    private func write(
        _ record: BiometricLoginRecord,
        over known: BiometricLoginRecord?,
        _ retries: inout ConflictRetries
    ) async throws(BiometricLoginRecordError) -> Bool {
        let next = try record.stored()
        do throws(StoreError) {
            try await store.replace(next, expecting: known?.revision)
            return true
        } catch {
            guard error.code == .conflict else { throw .store(error) }
        }
        try await note(&retries, replacing: known)
        return false
    }

    private func note(
        _ retries: inout ConflictRetries,
        replacing known: BiometricLoginRecord?
    ) async throws(BiometricLoginRecordError) {
        do {
            try await retries.conflict(replacing: known?.revision)
        } catch {
            throw .store(error)
        }
    }
}
