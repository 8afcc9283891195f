import NightlatchWire

extension VaultRecord: RecordFormat {
    static let limits = JSONLimits(byteCount: byteCountLimit, depth: 8)

    static func error(_ fault: RecordFault) -> VaultError { VaultError(fault: fault) }

    /// Reads a record exactly as it was written. Bytes that this type would write differently are corrupt.
    init(_ stored: StoredRecord) throws(VaultError) {
        self = try stored.decoded()
        guard hasPossibleCounts, ledger.isPossible, guesses?.isPossible ?? true, sealed.predecessor == nil,
            sealed.keepsRecipients == nil, change?.keepsRecipients != false,
            checksum == expectedChecksum,
            ([sealed] + (change.map { [$0] } ?? [])).allSatisfy(\.hasShapeOfItsFormat),
            ([sealed] + (change.map { [$0] } ?? [])).flatMap(\.content.items.keys).allSatisfy(SecretNameRule.accepts)
        else { throw .corrupt }
    }

    /// Returns the record as it is stored.
    ///
    /// - Throws: ``VaultError/tooLarge``, but never for content within ``VaultContent/byteCountLimit``.
    ///   ``VaultError/corrupt`` after the greatest revision, epoch or generation, because a record that could not
    ///   be read back must not be written.
    func stored() throws(VaultError) -> StoredRecord {
        guard hasPossibleCounts else { throw .corrupt }
        let bytes = [UInt8](StrictJSON.encode(self))
        guard bytes.count <= Self.byteCountLimit else { throw .tooLarge }
        return StoredRecord(revision: revision, bytes: bytes)
    }

    /// Whether revision, epochs and generations are numbers that a device can reach. Adding to them cannot overflow.
    private var hasPossibleCounts: Bool {
        let contents = [sealed.content] + (change.map { [$0.content] } ?? [])
        return ([revision] + contents.flatMap { [$0.epoch, $0.generation] }).allSatisfy(StoredRecord.revisions.contains)
    }
}
