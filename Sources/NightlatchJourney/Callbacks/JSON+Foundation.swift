internal import Foundation
internal import NightlatchWire

extension JSONObject {
    /// The object as Foundation's `JSONSerialization` returns it.
    var foundation: [String: Any] {
        Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.foundation) })
    }
}

extension JSONValue {
    /// The value as Foundation's `JSONSerialization` returns it.
    var foundation: Any {
        switch self {
        case .null: NSNull()
        case .bool(let bool): bool
        case .number(let text): Self.number(text)
        case .string(let text): text
        case .array(let values): values.map(\.foundation)
        case .object(let object): object.foundation
        }
    }

    /// An integer if the text is one that fits, otherwise a floating-point number.
    private static func number(_ text: String) -> Any {
        if let integer = Int(text) { return integer }
        if let double = Double(text) { return double }
        return text
    }

    /// Converts texts, numbers, booleans, arrays and dictionaries. Returns nil for anything else, and beyond a depth of
    /// 8.
    init?(foundation value: Any, depth: Int = 0) {
        guard depth <= 8 else { return nil }
        // Checked first: as a `Bool`, an `NSNumber` of 1 converts to `true`, and as an integer it does not convert.
        if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
            self.init(number)
            return
        }
        switch value {
        case let text as String: self = .string(text)
        case let bool as Bool: self = .bool(bool)
        case let integer as any BinaryInteger: self = .number("\(integer)")
        case let double as Double:
            guard double.isFinite else { return nil }
            self = .number("\(double)")
        case let float as Float:
            guard float.isFinite else { return nil }
            self = .number("\(float)")
        case let decimal as Decimal:
            guard !decimal.isNaN else { return nil }
            self = .number("\(decimal)")
        case is NSNull: self = .null
        case let values as [Any]:
            var elements: [JSONValue] = []
            for value in values {
                guard let element = JSONValue(foundation: value, depth: depth + 1) else { return nil }
                elements.append(element)
            }
            self = .array(elements)
        case let members as [String: Any]:
            var object = JSONObject()
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                guard let member = JSONValue(foundation: value, depth: depth + 1) else { return nil }
                object.set(name, member)
            }
            self = .object(object)
        default: return nil
        }
    }

    /// Converts an `NSNumber` to a boolean or a number. Returns nil for a number that is not finite.
    private init?(_ number: NSNumber) {
        // Booleans have their own class.
        if type(of: number) == type(of: NSNumber(value: true)) {
            self = .bool(number.boolValue)
        } else if number.doubleValue.isFinite {
            self = .number(number.stringValue)
        } else {
            return nil
        }
    }
}
