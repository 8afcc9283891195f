public import Foundation

/// Base64 with the URL alphabet and without padding ([RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)),
/// as [RFC 7515](https://www.rfc-editor.org/rfc/rfc7515#section-2) uses it.
public enum Base64URL {
    /// The text for `bytes`.
    public static func encode(_ bytes: some DataProtocol) -> String { encode(Array(copying: bytes)) }

    /// As ``encode(_:)-(DataProtocol)``. Told by name, the two kinds that all callers have cost no look at what kind it is.
    public static func encode(_ bytes: Data) -> String { encode(Array(copying: bytes)) }

    /// As ``encode(_:)-(DataProtocol)``.
    public static func encode(_ bytes: [UInt8]) -> String {
        let digits = digits
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var index = 0
        while index + 3 <= bytes.count {
            let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
            text.append(digits[Int(group >> 18)])
            text.append(digits[Int(group >> 12 & 63)])
            text.append(digits[Int(group >> 6 & 63)])
            text.append(digits[Int(group & 63)])
            index += 3
        }
        switch bytes.count - index {
        case 1:
            let group = UInt32(bytes[index]) << 4
            text.append(digits[Int(group >> 6)])
            text.append(digits[Int(group & 63)])
        case 2:
            let group = UInt32(bytes[index]) << 10 | UInt32(bytes[index + 1]) << 2
            text.append(digits[Int(group >> 12)])
            text.append(digits[Int(group >> 6 & 63)])
            text.append(digits[Int(group & 63)])
        default: break
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` stands for, or nil unless `text` is exactly what `encode(_:)` makes of them: padding,
    /// white space, the other alphabet and stray bits in the last character are all refused, so that two texts never
    /// stand for the same bytes.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(utf8: Array(text.utf8)[...]) }

    /// As ``decode(_:)``, of a text in UTF-8.
    static func decode(utf8 text: ArraySlice<UInt8>) -> [UInt8]? {
        let values = values
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var (group, digitCount) = (UInt32(0), 0)
        for digit in text {
            let value = values[Int(digit)]
            guard value < 64 else { return nil }
            group = group << 6 | UInt32(value)
            digitCount += 1
            if digitCount == 4 {
                bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                bytes.append(UInt8(truncatingIfNeeded: group))
                (group, digitCount) = (0, 0)
            }
        }
        switch digitCount {
        case 0: return bytes
        case 2 where group & 0xF == 0: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        case 3 where group & 0x3 == 0:
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        default: return nil
        }
        return bytes
    }

    /// Whether ``decode(_:)`` has bytes for `text`. By the same rules, but no bytes are put together.
    package static func isEncoding(_ text: String) -> Bool {
        let values = values
        var last: UInt8 = 0
        let isOfDigits = text.hasOnly { digit in
            last = values[Int(digit)]
            return last < 64
        }
        guard isOfDigits else { return false }
        return switch text.utf8.count % 4 {
        case 0: true
        case 2: last & 0xF == 0
        case 3: last & 0x3 == 0
        default: false
        }
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// For each byte the value that it has as a digit; 64 for those that are none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()
}
