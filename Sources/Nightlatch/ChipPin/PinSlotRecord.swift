import NightlatchWire

/// A JSON record that a chip seals. It contains the number of its format.
package protocol PinSlotRecord: Codable {
    static var newestFormat: Int { get }

    var format: Int { get }
}

/// An error that occurs while reading a chip's record.
package enum PinSlotRecordError: Error {
    case corrupt
    /// A later version of this package wrote the record.
    case newerFormat
}

extension PinSlotRecord {
    package static var newestFormat: Int { 1 }

    package var encoded: [UInt8] { [UInt8](StrictJSON.encode(self)) }

    /// Reads a record. It reads the format first, since a later format may have another shape and size.
    package static func decode(_ bytes: [UInt8]) throws(PinSlotRecordError) -> Self {
        do {
            let format = try StrictJSON.decode(PinSlotFormat.self, from: bytes).format
            guard format <= newestFormat else { throw PinSlotRecordError.newerFormat }
            let record = try StrictJSON.decode(Self.self, from: bytes, limits: JSONLimits(byteCount: 4096, depth: 2))
            guard record.format == newestFormat else { throw PinSlotRecordError.corrupt }
            return record
        } catch PinSlotRecordError.newerFormat {
            throw .newerFormat
        } catch {
            throw .corrupt
        }
    }
}

private struct PinSlotFormat: Decodable {
    let format: Int
}
