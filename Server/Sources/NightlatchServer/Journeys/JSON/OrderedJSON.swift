package import Foundation
import NightlatchWire

/// A JSON value that goes on as it came: its members stay in their order, which journeys' clients read them by, and its numbers keep their
/// text, which somebody may have signed. It is read through `StrictJSON` alone.
package enum OrderedJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As it is written.
    case number(String)
    case string(String)
    case array([OrderedJSON])
    case object([Member])

    /// A member of an object.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: OrderedJSON

        package init(_ name: String, _ value: OrderedJSON) {
            self.name = name
            self.value = value
        }
    }

    package static func integer(_ integer: Int) -> Self { .number(String(integer)) }

    /// The whole number that it is, written as one.
    package var integer: Int? {
        if case .number(let text) = self { Int(text) } else { nil }
    }

    /// The text of a string.
    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The values of an array.
    package var values: [OrderedJSON]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The members of an object.
    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// A member of an object; nil if there is none of this name, or no object.
    package subscript(_ name: String) -> OrderedJSON? { members?.first { $0.name == name }?.value }
}

extension OrderedJSON: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Of each value one of these is true; asking costs nothing but a look at it.
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let number = try? container.decode(JSONNumber.self) {
            self = .number(number.text)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if var array = try? decoder.unkeyedContainer() {
            var values: [OrderedJSON] = []
            while !array.isAtEnd { values.append(try array.decode(OrderedJSON.self)) }
            self = .array(values)
        } else {
            let object = try decoder.container(keyedBy: Name.self)
            self = .object(
                try object.allKeys.map { Member($0.stringValue, try object.decode(OrderedJSON.self, forKey: $0)) })
        }
    }
}

extension OrderedJSON {
    /// The value as it goes over the wire: no white space, no needless escapes.
    package var bytes: Data { Data(json.utf8) }

    /// ``bytes`` as a text.
    package var json: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): text += String(decoding: StrictJSON.encode(string), as: UTF8.self)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                text += String(decoding: StrictJSON.encode(member.name), as: UTF8.self) + ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }
}
