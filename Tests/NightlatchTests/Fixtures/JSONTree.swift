import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// JSON of any form, to read records and to change any part of them.
enum JSONTree: Hashable {
    case object([String: JSONTree])
    case array([JSONTree])
    case string(String)
    case unsigned(UInt64)
    case signed(Int64)
    case fraction(Double)
    case bool(Bool)
    case null

    init(_ record: StoredRecord) throws {
        self = try StrictJSON.decode(
            JSONTree.self, from: record.bytes, limits: JSONLimits(byteCount: 1 << 20, depth: 16))
    }

    /// The bytes in the form in which records are stored. A vault's record gets its right checksum, which every writer
    /// of the record can calculate.
    var bytes: [UInt8] {
        guard case .object(var members) = self, members["checksum"]?.text != nil, members["vault_id"] != nil else {
            return StrictJSON.bytes(of: self)
        }
        members["checksum"] = .string(Self.checksum(of: members))
        return StrictJSON.bytes(of: JSONTree.object(members))
    }

    private static func checksum(of members: [String: JSONTree]) -> String {
        let bare = members.filter { !["checksum", "record_mac"].contains($0.key) }
        var said = Data()
        for part in [Array("nightlatch record checksum".utf8), StrictJSON.bytes(of: JSONTree.object(bare))] {
            unsafe withUnsafeBytes(of: UInt32(part.count).bigEndian) { unsafe said.append(contentsOf: $0) }
            said.append(contentsOf: part)
        }
        return Base64URL.encode(Data(SHA256.hash(data: said)))
    }

    subscript(path: String...) -> JSONTree? {
        get { self[path[...]] }
        set { self[path[...]] = newValue }
    }

    subscript(path: ArraySlice<String>) -> JSONTree? {
        get {
            guard let name = path.first else { return self }
            guard case .object(let members) = self else { return nil }
            return members[name]?[path.dropFirst()]
        }
        set {
            guard case .object(var members) = self, let name = path.first else { return }
            if path.count == 1 { members[name] = newValue } else { members[name]?[path.dropFirst()] = newValue }
            self = .object(members)
        }
    }

    /// The paths to all values below, each object before its members.
    var paths: [[String]] {
        guard case .object(let members) = self else { return [] }
        return members.sorted { $0.key < $1.key }.flatMap { name, value in [[name]] + value.paths.map { [name] + $0 } }
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var number: Int? {
        switch self {
        case .unsigned(let number): Int(exactly: number)
        case .signed(let number): Int(exactly: number)
        default: nil
        }
    }
}

extension JSONTree: Codable {
    init(from decoder: any Decoder) throws {
        if let members = try? [String: JSONTree](from: decoder) {
            self = .object(members)
        } else if let elements = try? [JSONTree](from: decoder) {
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let bool = try? container.decode(Bool.self) {
                self = .bool(bool)
            } else if let number = try? container.decode(UInt64.self) {
                self = .unsigned(number)
            } else if let number = try? container.decode(Int64.self) {
                self = .signed(number)
            } else if let number = try? container.decode(Double.self) {
                self = .fraction(number)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .array(let elements): try container.encode(elements)
        case .string(let text): try container.encode(text)
        case .unsigned(let number): try container.encode(number)
        case .signed(let number): try container.encode(number)
        case .fraction(let number): try container.encode(number)
        case .bool(let bool): try container.encode(bool)
        case .null: try container.encodeNil()
        }
    }
}

extension JSONTree {
    /// The encoded JSON.
    var written: String { String(decoding: bytes, as: UTF8.self) }
}
