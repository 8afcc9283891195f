import Foundation
import NightlatchFuzzReference
import NightlatchRelyingParty

/// Invariant of a form: it has exactly the fields that were written, and none twice.
enum FormInvariants {
    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        let form = FormFields(Data(input))
        let expected = fields(of: input)
        try require((form == nil) == (expected == nil), "\(form == nil ? "refused" : "accepted") against the reference")
        guard let form, let expected else { return false }
        try require(form.fields.count == expected.count, "another number of fields")
        for (name, value) in expected {
            try require(form.fields[name]?.utf8.elementsEqual(value.utf8) == true, "another value of \(name)")
        }
        return true
    }

    /// Returns the fields; nil if the input is not a form.
    private static func fields(of input: [UInt8]) -> [(name: String, value: String)]? {
        guard let text = String(validating: input, as: UTF8.self) else { return nil }
        var fields: [(name: String, value: String)] = []
        var names: Set<String> = []
        for pair in text.unicodeScalars.split(separator: "&") {
            guard let equals = pair.firstIndex(of: "=") else { return nil }
            guard let name = decode(pair[..<equals]), let value = decode(pair[pair.index(after: equals)...]),
                name.unicodeScalars.allSatisfy(\.isASCII), names.insert(name).inserted
            else { return nil }
            fields.append((name, value))
        }
        return fields.count <= FormFields.countLimit ? fields : nil
    }

    /// Decodes a text.
    ///
    /// Each part after a percent sign must begin with two digits. (Foundation's decoding drops a byte order mark.)
    private static func decode(_ text: Substring.UnicodeScalarView) -> String? {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            var plain = part
            if index > 0 {
                let digits = String(part.prefix(2))
                guard digits.utf8.count == 2, !digits.contains("+"), !digits.contains("-"),
                    let byte = UInt8(digits, radix: 16)
                else { return nil }
                bytes.append(byte)
                plain = part.dropFirst(2)
            }
            bytes += Array(String(plain).utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
