import Foundation
import NightlatchFuzzReference
import NightlatchWire

/// Checks the strict JSON parser against RFC 8259.
///
/// The parser reads the values that the document contains. It accepts every document that RFC 8259 allows, has no
/// duplicate names and keeps the limits.
enum StrictJSONInvariants {
    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        let reference = JSONReference(input)
        for limits in [
            JSONLimits.message, JSONLimits(byteCount: 1024, depth: 2), JSONLimits(byteCount: .max, depth: .max),
        ] {
            let value = try? JSONValue(parsing: input, limits: limits)
            let isAllowed =
                reference.map { $0.isStrict(within: limits) && input.count <= limits.byteCount }
            try require(
                (value != nil) == (isAllowed ?? false),
                "\(value == nil ? "refused" : "accepted") where the reference says otherwise, within \(limits)")
            if let value, let reference { try checkValue(value, reference, input) }
        }
        try checkInteger(input)
        return (try? JSONValue(parsing: input, limits: .message)) != nil
    }

    private static func checkValue(
        _ value: JSONValue,
        _ reference: JSONReference,
        _ input: [UInt8]
    ) throws(FuzzFinding) {
        try require(JSONToken.tokens(of: value) == reference.tokens, "read as something else")
        let numbers = reference.tokens.compactMap { if case .number(let text) = $0 { Double(text) } else { nil } }
        // Foundation converts each number at once, and refuses numbers that are too large for it.
        if numbers.allSatisfy({ $0.isFinite && ($0.isZero || $0.isNormal) }), reference.depth < 500 {
            let other = try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)
            try require(other != nil, "Foundation refuses it")
        }
        let limits = JSONLimits(byteCount: .max, depth: .max)
        let written = value.bytes
        let again = try unwrap(try? JSONValue(parsing: written, limits: limits), "written, it cannot be read")
        try require(JSONToken.tokens(of: again) == reference.tokens, "written, it is read as something else")
        try require(again.bytes == written, "written twice, it differs")
    }

    /// A number that is decoded as an integer has exactly that value.
    private static func checkInteger(_ input: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: input, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if let integer = try? StrictJSON.decode(Int.self, from: input) {
            try require(Double(text) == Double(integer), "read as \(integer)")
            try require(StrictJSON.encode(integer) == Data(integer.description.utf8), "\(integer) written as another")
        }
        if let byte = try? StrictJSON.decode(UInt8.self, from: input) {
            try require(Double(text) == Double(byte), "read as \(byte)")
        }
    }
}
