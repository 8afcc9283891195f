import Crypto
import NightlatchWire

extension Vault {
    /// Throws if this store's key did not authenticate the record. Call it before using the record.
    func checkMAC(of record: VaultRecord) async throws(VaultError) {
        try await check(record.recordMAC, against: transcript(of: record))
    }

    /// Throws if `found` is not the MAC that the store's key gives over `transcript`.
    func check(_ found: VaultMAC?, against transcript: Transcript) async throws(VaultError) {
        guard let expected = try await recordMAC(over: transcript) else {
            guard found == nil else { throw .noRecordKey }
            return
        }
        guard let found,
            SecretBytes(copying: found.bytes).isEqual(to: SecretBytes(copying: expected.bytes))
        else { throw .corrupt }
    }

    /// Returns the MAC over `record` under the store's key, or nil if the store has none.
    func recordMAC(of record: VaultRecord) async throws(VaultError) -> VaultMAC? {
        try await recordMAC(over: transcript(of: record))
    }

    private func transcript(of record: VaultRecord) -> Transcript {
        var transcript = Transcript("nightlatch record")
        transcript.append(UInt64(record.format))
        transcript.append(record.vaultID.rawValue)
        transcript.append(record.revision)
        transcript.append([UInt8](StrictJSON.encode(record.ledger)))
        transcript.append([UInt8](StrictJSON.encode(record.sealed)))
        transcript.append([UInt8](StrictJSON.encode(record.change)))
        if let guesses = record.guesses { transcript.append([UInt8](StrictJSON.encode(guesses))) }
        return transcript
    }

    /// Returns the MAC over `transcript` under the store's key, or nil if the store has none.
    func recordMAC(over transcript: Transcript) async throws(VaultError) -> VaultMAC? {
        guard let key = store.recordKey else { return nil }
        let bytes: [UInt8]
        do {
            bytes = try await key.mac(over: [UInt8](transcript.bytes))
        } catch {
            throw .store(error)
        }
        // A store whose key returns anything other than a MAC is defective.
        guard let mac = VaultMAC(bytes: bytes) else { throw .store(StoreError(.corrupt)) }
        return mac
    }
}
