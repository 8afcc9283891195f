import NightlatchWire

/// Reads the one record and changes it by compare-and-swap, so that of two accounts that enable biometric login at once one does.
struct BiometricLoginRegister: Sendable {
    let store: any SecureStore

    func read() async throws(BiometricLoginRecordError) -> BiometricLoginRecord? {
        let stored: StoredRecord?
        do {
            stored = try await store.read()
        } catch {
            throw .store(error)
        }
        guard let stored else { return nil }
        return try BiometricLoginRecord(stored)
    }

    /// The record of `vaultID`, which is made if there is none at all; nil if another vault has it.
    func claim(for vaultID: VaultID) async throws(BiometricLoginRecordError) -> BiometricLoginRecord? {
        while true {
            if let known = try await read() { return known.vaultID == vaultID ? known : nil }
            if try await write(BiometricLoginRecord(vaultID: vaultID), over: nil) { continue }
        }
    }

    /// Writes how far the record of `vaultID` has come. Does nothing if the vault has none any more.
    func set(_ stage: BiometricLoginStage, for vaultID: VaultID) async throws(BiometricLoginRecordError) {
        while let known = try await read(), known.vaultID == vaultID, known.stage != stage {
            var next = known
            next.stage = stage
            if try await write(next, over: known) { return }
        }
    }

    /// Removes the record of `vaultID`, if it has one that has come as far as `stage`: with any other somebody has begun anew.
    func release(_ vaultID: VaultID, at stage: BiometricLoginStage) async throws(BiometricLoginRecordError) {
        while let known = try await read(), known.vaultID == vaultID, known.stage == stage {
            do {
                return try await store.remove(expecting: known.revision)
            } catch {
                guard error.code == .conflict else { throw .store(error) }
            }
        }
    }

    /// - Returns: Whether it was written; if not, someone else has written.
    private func write(
        _ record: BiometricLoginRecord,
        over known: BiometricLoginRecord?
    ) async throws(BiometricLoginRecordError) -> Bool {
        do throws(StoreError) {
            try await store.replace(record.stored(), expecting: known?.revision)
            return true
        } catch {
            guard error.code == .conflict else { throw .store(error) }
            return false
        }
    }
}
