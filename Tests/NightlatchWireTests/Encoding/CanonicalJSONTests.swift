import Crypto
import Foundation
import NightlatchWire
import Testing

@Suite("Canonical JSON")
struct CanonicalJSONTests {
    private func text(_ value: CanonicalJSON) -> String { String(decoding: value.bytes, as: UTF8.self) }

    @Test("Members are sorted by UTF-16 code units, as in RFC 8785, section 3.2.3")
    func order() {
        let value = CanonicalJSON.object([
            "\u{20AC}": .string("Euro Sign"), "\r": .string("Carriage Return"),
            "\u{FB33}": .string("Hebrew Letter Dalet With Dagesh"), "1": .string("One"),
            "\u{1F600}": .string("Emoji: Grinning Face"), "\u{80}": .string("Control"),
            "\u{F6}": .string("Latin Small Letter O With Diaeresis"),
        ])
        let names = [
            "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
            "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
        ]
        let found = text(value)
        let places = names.compactMap { found.range(of: $0)?.lowerBound }
        #expect(places.count == names.count && places == places.sorted())
    }

    @Test("Characters are escaped as in RFC 8785, section 3.2.2, and no others")
    func escapes() {
        #expect(
            text(.string("\u{20AC}$\u{F}\nA'B\"\\\\\"/"))
                == #""€$\u000f\nA'B\"\\\\\"/""#)
        #expect(
            text(.string("\u{0}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}\u{2028}é\u{65}\u{301}"))
                == "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u{7F}\u{2028}é\u{65}\u{301}\"")
    }

    @Test("Canonically equivalent texts stay different")
    func equivalence() {
        #expect(CanonicalJSON.string("é").bytes != CanonicalJSON.string("e\u{301}").bytes)
    }

    @Test("Whole numbers, truth values, lists and nested objects are written without white space")
    func structure() {
        let value = CanonicalJSON.object([
            "b": .array([.integer(0), .integer(-7), .integer(CanonicalJSON.greatestInteger), .array([]), .object([:])]),
            "a": .object(["d": .string(""), "c": .integer(10), "f": .bool(false), "e": .bool(true)]),
        ])
        #expect(text(value) == #"{"a":{"c":10,"d":"","e":true,"f":false},"b":[0,-7,9007199254740991,[],{}]}"#)
    }

    #if os(Linux) || os(macOS)
    @Test("Python makes the same canonical form of the same values, in any encoding", arguments: 0..<5)
    func oracle(seed: UInt64) throws {
        var writer = JSONWriter(seed: seed)
        let trees = (0..<60).map { _ in Self.withoutFractions(writer.value(depth: 4)) }
        let texts = trees.map { writer.write($0) }
        let expected = try PythonOracle().canonicalHashes("[" + texts.joined(separator: ",") + "]")
        let found = trees.map { tree in
            SHA256.hash(data: Self.canonical(tree).bytes).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        }
        #expect(found == expected)
    }
    #endif

    /// The tree without fractions and null.
    private static func withoutFractions(_ tree: JSONTree) -> JSONTree {
        switch tree {
        case .null: .text("null")
        case .bool: tree
        case .number(let number): .number(abs(number) < 1e9 ? number.rounded() : 7)
        case .text: tree
        case .list(let list): .list(list.map(withoutFractions))
        case .object(let members): .object(members.mapValues(withoutFractions))
        }
    }

    private static func canonical(_ tree: JSONTree) -> CanonicalJSON {
        switch tree {
        case .null: .string("not made here")
        case .bool(let bool): .bool(bool)
        case .number(let number): .integer(Int(number))
        case .text(let text): .string(text)
        case .list(let list): .array(list.map(canonical))
        case .object(let members): .object(members.mapValues(canonical))
        }
    }
}
