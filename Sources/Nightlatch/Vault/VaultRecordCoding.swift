import NightlatchWire

extension VaultRecord: RecordFormat {
    typealias ReadingError = VaultRecordError

    static let limits = JSONLimits(byteCount: byteCountLimit, depth: 8)

    /// Reads a record as it was written, and nothing else: what would be written differently is corrupt.
    init(_ stored: StoredRecord) throws(VaultRecordError) {
        self = try stored.decoded()
        guard hasPossibleCounts, ledger.isPossible, guesses?.isPossible ?? true, sealed.predecessor == nil,
            sealed.keepsRecipients == nil, change?.keepsRecipients != false,
            checksum == expectedChecksum,
            ([sealed] + (change.map { [$0] } ?? [])).allSatisfy(\.hasShapeOfItsFormat),
            ([sealed] + (change.map { [$0] } ?? [])).flatMap(\.content.items.keys).allSatisfy(SecretNameRule.accepts)
        else { throw .corrupt }
    }

    /// The record as it is stored.
    ///
    /// - Throws: ``VaultRecordError/tooLarge``, which content within ``VaultContent/byteCountLimit`` never leads to, and
    ///   ``VaultRecordError/corrupt`` after the greatest revision, epoch or generation: what could not be read back is not written.
    func stored() throws(VaultRecordError) -> StoredRecord {
        guard hasPossibleCounts else { throw .corrupt }
        let bytes = [UInt8](StrictJSON.encode(self))
        guard bytes.count <= Self.byteCountLimit else { throw .tooLarge }
        return StoredRecord(revision: revision, bytes: bytes)
    }

    /// Whether revision, epochs and generations are numbers that a device counts to. Counting on from them cannot overflow.
    private var hasPossibleCounts: Bool {
        let contents = [sealed.content] + (change.map { [$0.content] } ?? [])
        return ([revision] + contents.flatMap { [$0.epoch, $0.generation] }).allSatisfy(StoredRecord.revisions.contains)
    }
}
