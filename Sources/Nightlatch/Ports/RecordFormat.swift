import Foundation
import NightlatchWire

/// What is kept whole in a ``SecureStore``: JSON that names its format and the revision with which it was written.
protocol RecordFormat: Codable {
    associatedtype ReadingError: RecordFormatError

    /// The oldest that is read still.
    static var oldestFormat: Int { get }
    static var newestFormat: Int { get }
    static var limits: JSONLimits { get }

    var format: Int { get }
    var revision: UInt64 { get }
}

/// An error that can say why what a store holds is not a record of the form that was asked for.
protocol RecordFormatError: Error {
    static var corrupt: Self { get }
    /// A later version wrote it.
    static func newerFormat(found: Int, newestKnown: Int) -> Self
    /// The store could not be read or written.
    static func store(_ error: StoreError) -> Self
}

extension RecordFormat {
    static var limits: JSONLimits { .message }
    static var oldestFormat: Int { newestFormat }
}

extension StoredRecord {
    /// Zero stands for a record that was never written. No device writes as often as the greatest says: a greater one was planted, and
    /// counting on from it would come to an end.
    static let revisions: ClosedRange<UInt64> = 1...1 << 62

    private struct Format: Decodable {
        let format: Int
    }

    /// Reads the record as it was written, and nothing else. Unknown members and other ways of writing the same would be lost with the
    /// next write, so they are corrupt. The format is read first: of a later one nothing else can be known.
    func decoded<Record: RecordFormat>() throws(Record.ReadingError) -> Record {
        let format: Int
        do {
            format = try StrictJSON.decode(Format.self, from: bytes, limits: Record.limits).format
        } catch {
            throw .corrupt
        }
        guard format <= Record.newestFormat else {
            throw .newerFormat(found: format, newestKnown: Record.newestFormat)
        }
        let record: Record
        do {
            record = try StrictJSON.read(Record.self, from: Array(bytes), limits: Record.limits, isStored: true)
        } catch {
            throw .corrupt
        }
        guard format >= Record.oldestFormat, record.revision == revision, Self.revisions.contains(revision),
            StrictJSON.encode(record) == Data(bytes)
        else { throw .corrupt }
        return record
    }
}
