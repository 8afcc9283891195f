import Foundation
import NightlatchWire

extension VaultRecord {
    private static let limits = JSONLimits(byteCount: byteCountLimit, depth: 8)

    /// Zero stands for a record that was never written; after the greatest none could be.
    private static let revisions = 1...UInt64.max - 1

    private struct Format: Decodable {
        let format: Int
    }

    /// Reads a record as it was written, and nothing else: what would be written differently is corrupt.
    init(_ stored: StoredRecord) throws(VaultRecordError) {
        let format: Int
        do {
            format = try StrictJSON.decode(Format.self, from: stored.bytes, limits: Self.limits).format
        } catch {
            throw .corrupt
        }
        guard format <= Self.newestFormat else { throw .newerFormat(found: format, newestKnown: Self.newestFormat) }
        do {
            self = try StrictJSON.decode(Self.self, from: stored.bytes, limits: Self.limits)
        } catch {
            throw .corrupt
        }
        // Unknown members and other ways of writing the same would be lost with the next write.
        guard format == Self.newestFormat, revision == stored.revision, Self.revisions.contains(revision),
            ledger.isPossible,
            StrictJSON.encode(self) == Data(stored.bytes),
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
