import Foundation
import NightlatchWire

/// A value that a ``SecureStore`` keeps, as JSON. The JSON contains the number of its format and the record's revision.
protocol RecordFormat: Codable {
    associatedtype ReadingError: Error

    /// The oldest format that can still be read.
    static var oldestFormat: Int { get }
    static var newestFormat: Int { get }
    static var limits: JSONLimits { get }

    var format: Int { get }
    var revision: UInt64 { get }

    static func error(_ fault: RecordFault) -> ReadingError
}

/// The reason why the bytes in a store cannot be used as a record.
enum RecordFault {
    case corrupt
    /// A later version of the package wrote the record.
    case newerFormat(found: Int, newestKnown: Int)
    /// The store could not be read or written.
    case store(StoreError)
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
            throw Record.error(.corrupt)
        }
        guard format <= Record.newestFormat else {
            throw Record.error(.newerFormat(found: format, newestKnown: Record.newestFormat))
        }
        let record: Record
        do {
            record = try StrictJSON.read(Record.self, from: Array(bytes), limits: Record.limits, isStored: true)
        } catch {
            throw Record.error(.corrupt)
        }
        guard format >= Record.oldestFormat, record.revision == revision, Self.revisions.contains(revision),
            StrictJSON.encode(record) == Data(bytes)
        else { throw Record.error(.corrupt) }
        return record
    }
}
