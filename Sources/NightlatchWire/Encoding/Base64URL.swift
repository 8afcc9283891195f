public import Foundation

/// Base64 with the URL alphabet and without padding ([RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)),
/// as [RFC 7515](https://www.rfc-editor.org/rfc/rfc7515#section-2) uses it.
public enum Base64URL {
    /// The text for `bytes`.
    public static func encode(_ bytes: some DataProtocol) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (group, groupByteCount) = (UInt32(0), 0)
        for region in bytes.regions {
            for byte in region {
                group = group << 8 | UInt32(byte)
                groupByteCount += 1
                if groupByteCount == 3 {
                    append(group, digitCount: 4, to: &text)
                    (group, groupByteCount) = (0, 0)
                }
            }
        }
        switch groupByteCount {
        case 1: append(group << 16, digitCount: 2, to: &text)
        case 2: append(group << 8, digitCount: 3, to: &text)
        default: break
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` stands for, or nil unless `text` is exactly what ``encode(_:)`` makes of them: padding,
    /// white space, the other alphabet and stray bits in the last character are all refused, so that two texts never
    /// stand for the same bytes.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(utf8: text.utf8) }

    /// As ``decode(_:)``, of a text in UTF-8.
    static func decode(utf8 text: some Collection<UInt8>) -> [UInt8]? {
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

    /// Appends the first digits of 24 bits.
    private static func append(_ group: UInt32, digitCount: Int, to text: inout [UInt8]) {
        for position in 0..<digitCount { text.append(digits[Int(group >> (18 - 6 * UInt32(position)) & 63)]) }
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// For each byte the value that it has as a digit; 64 for those that are none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()
}
