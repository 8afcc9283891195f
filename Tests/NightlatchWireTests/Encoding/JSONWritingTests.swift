import Foundation
import NightlatchWire
import Testing

@Suite("Reading and writing of strict JSON")
struct JSONWritingTests {
    @Test("Strict JSON writes, byte for byte, the output of Foundation's encoder")
    func writesAsFoundation() throws {
        var writer = JSONWriter(seed: 9110)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for _ in 0..<1500 {
            let tree = writer.value(depth: 5)
            #expect(StrictJSON.encode(tree) == (try encoder.encode(tree)), "\(tree)")
        }
    }

    @Test(
        "Each character at each position is written as by Foundation",
        arguments: Array(UInt32(0)..<0x80) + [0xE9, 0x1F600])
    func characters(value: UInt32) throws {
        let character = Character(try #require(Unicode.Scalar(value)))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let long = (0..<40).map { place in
            String(repeating: "a", count: place) + [character] + String(repeating: "a", count: 39 - place)
        }
        for text in [String(character)] + long {
            #expect(StrictJSON.encode(text) == (try encoder.encode(text)))
            #expect(try StrictJSON.decode(String.self, from: StrictJSON.encode(text)) == text)
        }
    }

    @Test(
        "Every digit of an object's integers is written",
        arguments: [0, 1, 9, 10, 42, 100, 999, 1_000_000_007, 1_795_386_874, -1, -10, -987, Int.max, Int.min])
    func integersOfObjects(integer: Int) {
        struct Holder: Encodable {
            let integer: Int

            func encode(to encoder: any Encoder) throws {
                var writer = JSONObjectWriter(encoder)
                try writer.add("a", integer)
                try writer.add("b", integer)
            }
        }
        let text = String(decoding: StrictJSON.encode(Holder(integer: integer)), as: UTF8.self)
        #expect(text == #"{"a":\#(integer),"b":\#(integer)}"#)
    }

    /// A value that a closure encodes.
    private struct Value: Encodable {
        let write: (any Encoder) throws -> Void

        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    private enum Name: String, CodingKey { case a, b, c, d }

    @Test("Parts that are late, out of order, duplicate or of a superclass are written as by Foundation")
    func partsInAnyOrder() throws {
        let values = [
            // An inner object that grows together with the outer one.
            Value { encoder in
                var outer = encoder.container(keyedBy: Name.self)
                var late = outer.nestedContainer(keyedBy: Name.self, forKey: .b)
                try outer.encode("last", forKey: .d)
                try late.encode(2, forKey: .b)
                var list = outer.nestedUnkeyedContainer(forKey: .a)
                try list.encode("first")
                try late.encode(1, forKey: .a)
                try list.encode([1, 2])
            },
            Value { encoder in
                var outer = encoder.unkeyedContainer()
                try outer.encode(0)
                var (object, list) = (outer.nestedContainer(keyedBy: Name.self), outer.nestedUnkeyedContainer())
                try outer.encode("end")
                try list.encode(true)
                try object.encode("x", forKey: .c)
                try object.encode(outer.count, forKey: .a)
            },
            Value { encoder in
                var outer = encoder.container(keyedBy: Name.self)
                try outer.encode("replaced", forKey: .c)
                try outer.encode(["b": ["d": 1, "c": 2]], forKey: .b)
                try outer.encode("stands", forKey: .c)
                try [1, 2].encode(to: outer.superEncoder())
                try "s".encode(to: outer.superEncoder(forKey: .a))
            },
            Value { encoder in
                var outer = encoder.unkeyedContainer()
                try outer.encodeNil()
                try ["k": 1].encode(to: outer.superEncoder())
                _ = outer.nestedContainer(keyedBy: Name.self)
                _ = outer.nestedUnkeyedContainer()
            },
            // A type and the type that it extends.
            Value { encoder in
                var first = encoder.container(keyedBy: Name.self)
                try first.encode(1, forKey: .c)
                var second = encoder.container(keyedBy: Name.self)
                try second.encode(2, forKey: .a)
                try first.encodeNil(forKey: .b)
            },
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for (number, value) in values.enumerated() {
            #expect(StrictJSON.encode(value) == (try encoder.encode(value)), "\(number)")
            #expect(StrictJSON.encode([value, value]) == (try encoder.encode([value, value])), "\(number)")
            #expect(StrictJSON.encode(["k": value]) == (try encoder.encode(["k": value])), "\(number)")
        }
    }

    @Test("An integer is read in every form")
    func integers() throws {
        let all: [(String, Int)] = [
            ("5", 5), ("5.0", 5), ("5e0", 5), ("5E+0", 5), ("50e-1", 5), ("0.5e1", 5), ("-0", 0), ("-0.0", 0),
            ("0e7", 0),
            ("-12.00", -12), ("1e3", 1000), ("9007199254740993.0", 9_007_199_254_740_993),
            ("9223372036854775807", .max), ("-9223372036854775808.0", .min), ("922337203685477580700e-2", .max),
        ]
        for (text, value) in all { #expect(try StrictJSON.decode(Int.self, from: Data(text.utf8)) == value, "\(text)") }
        #expect(try StrictJSON.decode(UInt8.self, from: Data("255".utf8)) == 255)
        #expect(try StrictJSON.decode(UInt64.self, from: Data("18446744073709551615".utf8)) == .max)
    }

    @Test(
        "A number that is not an integer, or is too large, is refused without rounding",
        arguments: [
            "5.5", "0.1", "5e-1", "9007199254740991.1", "5.00000000000000000000001", "9223372036854775808",
            "9223372036854775808.0", "1e19", "1e999", "-1e999", "1e-999", "1e99999999999999999999", "true", "\"5\"",
            "null",
        ]
    )
    func noIntegers(text: String) {
        #expect(throws: StrictJSONError.unexpectedShape(path: "")) {
            try StrictJSON.decode(Int.self, from: Data(text.utf8))
        }
    }

    @Test("A number that its type cannot hold is refused", arguments: ["256", "-1", "1.5", "2e2.5"])
    func smallIntegers(text: String) {
        #expect(throws: StrictJSONError.self) { try StrictJSON.decode(UInt8.self, from: Data(text.utf8)) }
    }

    @Test("Every member of a large object is found, and a duplicate is refused", arguments: [1, 15, 16, 17, 18, 400])
    func largeObjects(count: Int) throws {
        let members = (0..<count).map { #""m\#($0)":\#($0)"# }
        let document = "{" + members.joined(separator: ",") + "}"
        let read = try StrictJSON.decode([String: Int].self, from: Data(document.utf8))
        #expect(read == Dictionary(uniqueKeysWithValues: (0..<count).map { ("m\($0)", $0) }))
        for twice in [0, count / 2, count - 1] {
            let document = "{" + (members + [#""\u006d\#(twice)":1"#]).joined(separator: ",") + "}"
            #expect(throws: StrictJSONError.duplicateMember("m\(twice)")) {
                try StrictJSON.decode([String: Int].self, from: Data(document.utf8))
            }
        }
    }
}

extension JSONTree: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }
}
