package import Foundation
import NightlatchWire

/// The fields of a form ([RFC 6749, appendix B](https://www.rfc-editor.org/rfc/rfc6749#appendix-B)). A field that is named twice
/// makes the whole form unreadable ([section 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)).
///
/// Reading costs time in proportion to the size: names are ASCII, because others would be normalised to be compared, and there are at
/// most ``countLimit`` fields.
package struct FormFields: Hashable, Sendable {
    package let fields: [String: String]

    /// What a form is, for who has sent something else.
    package static let requirement =
        "The form must be at most \(countLimit) pairs of name=value in percent-encoded UTF-8, each name once and in ASCII."

    /// The most fields that are read.
    package static let countLimit = 128

    /// A form of these fields.
    package init(fields: [String: String]) {
        self.fields = fields
    }

    /// Nil for what is no form.
    package init?(_ body: some DataProtocol) {
        let body = Array(body)
        guard String(validating: body, as: UTF8.self) != nil else { return nil }
        var fields: [String: String] = [:]
        // In bytes, because characters would have to be put together first; and not split, which calls for each of them.
        var start = body.startIndex
        while start < body.endIndex {
            let end = Self.firstIndex(of: UInt8(ascii: "&"), in: body[start...]) ?? body.endIndex
            let pair = body[start..<end]
            start = end + 1
            if pair.isEmpty { continue }
            guard let sign = Self.firstIndex(of: UInt8(ascii: "="), in: pair), let name = Self.decode(pair[..<sign]),
                name.utf8.allSatisfy({ $0 < 0x80 }), let value = Self.decode(pair[(sign + 1)...]),
                StreamSafeText.accepts(value),
                fields.count < Self.countLimit, fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        self.fields = fields
    }

    /// Nil for an escape that is none, and for what is not UTF-8 once escapes are resolved.
    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        // Most of a form is long and has no escape; the whole was seen to be UTF-8.
        if firstIndex(of: UInt8(ascii: "%"), in: text) == nil, firstIndex(of: UInt8(ascii: "+"), in: text) == nil {
            return String(decoding: text, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Where `byte` first stands in `text`; nil if nowhere. The C library looks at many bytes with one instruction.
    private static func firstIndex(of byte: UInt8, in text: ArraySlice<UInt8>) -> Int? {
        unsafe text.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let place = unsafe memchr(start, CInt(byte), bytes.count)
            else { return nil }
            return unsafe text.startIndex + (UnsafeRawPointer(place) - start)
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
