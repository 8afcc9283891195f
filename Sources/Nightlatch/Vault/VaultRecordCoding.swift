import NightlatchWire

extension VaultRecord: RecordFormat {
    typealias ReadingError = VaultRecordError

    static let limits = JSONLimits(byteCount: byteCountLimit, depth: 8)

    /// Reads a record as it was written, and nothing else: what would be written differently is corrupt.
    init(_ stored: StoredRecord) throws(VaultRecordError) {
        self = try stored.decoded()
        guard ledger.isPossible, guesses?.isPossible ?? true, sealed.predecessor == nil,
            sealed.keepsRecipients == nil, change?.keepsRecipients != false,
            ([sealed] + (change.map { [$0] } ?? [])).flatMap(\.content.items.keys).allSatisfy(SecretNameRule.accepts)
        else { throw .corrupt }
    }

    /// The record as it is stored.
    ///
    /// - Throws: ``VaultRecordError/tooLarge``, which content within ``VaultContent/byteCountLimit`` never leads to.
    func stored() throws(VaultRecordError) -> StoredRecord {
        let bytes = [UInt8](StrictJSON.encode(self))
        guard bytes.count <= Self.byteCountLimit else { throw .tooLarge }
        return StoredRecord(revision: revision, bytes: bytes)
    }
}
