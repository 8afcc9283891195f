package import Foundation
import NightlatchWire

/// The fields of a form ([RFC 6749, appendix B](https://www.rfc-editor.org/rfc/rfc6749#appendix-B)).
///
/// A form with a repeated field is invalid ([section 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)).
///
/// Parsing takes time proportional to the size: names must be ASCII, because comparing other text would normalise it,
/// and there are at most ``countLimit`` fields.
package struct FormFields: Hashable, Sendable {
    package let fields: [String: String]

    /// The description of a valid form, for clients that sent an invalid one.
    package static let requirement =
        "The form must have at most \(countLimit) pairs name=value in percent-encoded UTF-8, with unique ASCII names."

    /// The largest number of fields.
    package static let countLimit = 128

    /// A form with these fields.
    package init(fields: [String: String]) {
        self.fields = fields
    }

    /// Returns nil for an invalid form.
    package init?(_ body: some DataProtocol) {
        let body = Array(body)
        guard String(validating: body, as: UTF8.self) != nil else { return nil }
        var fields: [String: String] = [:]
        // Works on bytes, because decoding characters costs more, and without `split`, which calls a closure for each
        // byte.
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

    /// Returns nil for an invalid escape, and if the unescaped bytes are not UTF-8.
    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        // Most fields of a long form have no escapes, and the whole form is known to be UTF-8.
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

    /// The first index of `byte` in `text`; nil if there is none.
    ///
    /// The C library compares many bytes with one instruction.
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
