import Foundation
import NightlatchWire

/// A value that a ``SecureStore`` keeps, as JSON. The JSON contains the number of its format and the record's revision.
protocol RecordFormat: Codable {
    associatedtype ReadingError: RecordFormatError

    /// The oldest format that can still be read.
    static var oldestFormat: Int { get }
    static var newestFormat: Int { get }
    static var limits: JSONLimits { get }

    var format: Int { get }
    var revision: UInt64 { get }
}

/// An error that can say why the bytes in a store are not a valid record.
protocol RecordFormatError: Error {
    static var corrupt: Self { get }
    /// A later version of the package wrote the record.
    static func newerFormat(found: Int, newestKnown: Int) -> Self
    /// The store could not be read or written.
    static func store(_ error: StoreError) -> Self
}

extension RecordFormat {
    static var limits: JSONLimits { .message }
    static var oldestFormat: Int { newestFormat }
}

extension StoredRecord {
    /// The valid revisions. Zero means that the record was never written.
    ///
    /// No device writes 2^62 times, so a greater revision was written by an attacker. Without the limit, incrementing
    /// such a revision could overflow.
    static let revisions: ClosedRange<UInt64> = 1...1 << 62

    private struct Format: Decodable {
        let format: Int
    }

    /// Decodes the record if it is exactly what this package writes.
    ///
    /// Unknown members and other encodings of the same content would be lost with the next write, so they count as
    /// corrupt. The format is read first: nothing else is known about a later format.
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
