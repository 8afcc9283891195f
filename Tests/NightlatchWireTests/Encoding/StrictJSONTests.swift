import Foundation
import NightlatchWire
import Testing

@Suite("Strict JSON")
struct StrictJSONTests {
    @Test(
        "Every form that RFC 8259 allows is read",
        arguments: [
            "null", "true", "false", "0", "-0", "10", "-1.5", "1e3", "1E+3", "1e-03", "0.0", "0e0", #""""#, #""a""#,
            "[]", "{}", " [ ] ", "\t{\r\n}\n", "[1,2 , 3]", #"{"a":1,"b":{"a":1}}"#, #"[{"a":1},{"a":2}]"#,
            #""\"\\\/\b\f\n\r\t\u00e9""#, #""\u0000""#, #""\ud834\udd1e""#, #""\uD834\uDD1E""#,
            "\"\u{2028}\"", "\"é한𝄞\"", #"{"":0," ":1}"#, #"{"a":1,"A":2}"#, #"{"ab":1,"a":2,"b":3}"#,
        ]
    )
    func reads(document: String) {
        #expect(throws: Never.self) { try read(document) }
    }

    @Test(
        "A text that is not JSON is refused",
        arguments: [
            "", " ", "nul", "nulll", "True", "NaN", "-NaN", "Infinity", "-Infinity", "undefined", "'a'", "a",
            "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1", "1]", "]", "[}", #"{"a":1,}"#, "{,}", #"{"a"}"#, #"{"a":}"#,
            #"{"a" 1}"#, "{a:1}", "{1:1}", "{'a':1}", #"{"a":1"b":2}"#, "{", #"{"a""#, #"{"a":1"#, "}", "[][]", "{}{}",
            "1 2", "nullnull", #""a"b"#, "{}x", "01", "-01", "00", "1.", ".5", "1.e3", "1e", "1e+", "+1",
            "-", "--1", "0x10", "1_000", "1,5", "//\n1", "/**/1", "1//", #"""#, #""a"#, #""\"#, #""\""#, #""\x41""#,
            #""\u""#, #""\u12""#, #""\u12G4""#, #""\u+123""#, #""\U0041""#, #""\'""#,
            #""\ud834""#, #""\ud834x""#, #""\ud834\n""#, #""\ud834\u0041""#,
            #""\ud834\ud834""#, #""\udd1e""#, #""\udd1e\ud834""#, #"{"\ud834":1}"#, "\u{FEFF}{}", "{\u{A0}}",
            "\u{2003}1", "１", "1\u{FF0C}2",
        ]
    )
    func refuses(document: String) {
        #expect {
            try read(document)
        } throws: { error in
            if case .malformed = error as? StrictJSONError { true } else { false }
        }
    }

    @Test("Control characters are refused, except white space between values", arguments: UInt8(0)..<0x20)
    func refusesControlCharacters(control: UInt8) {
        let isWhitespace = [0x09, 0x0A, 0x0D].contains(control)
        let quote = UInt8(ascii: "\"")
        let document = [UInt8(ascii: "1"), control]
        #expect((try? StrictJSON.decode(Int.self, from: document)) == (isWhitespace ? 1 : nil))
        for document in [[quote, control, quote], [quote, UInt8(ascii: "\\"), control, quote]] {
            #expect(throws: StrictJSONError.malformed(offset: document.count - 2)) {
                try StrictJSON.decode(String.self, from: document)
            }
        }
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0x80, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22],
            [0x22, 0xC1, 0x81, 0x22],
            // A surrogate, a scalar beyond the last, an overlong form; then UTF-16 and UTF-32.
            [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE0, 0x80, 0xAF, 0x22],
            [0x5B, 0x00, 0x5D, 0x00], [0x00, 0x5B, 0x00, 0x5D], [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00],
            [0x5B, 0, 0, 0, 0x5D, 0, 0, 0], [0xEF, 0xBB, 0xBF, 0x5B, 0x5D],
        ] as [[UInt8]]
    )
    func refusesOtherEncodings(bytes: [UInt8]) {
        #expect {
            try StrictJSON.decode(AnyJSON.self, from: bytes)
        } throws: { error in
            if case .malformed = error as? StrictJSONError { true } else { false }
        }
    }

    @Test(
        "A duplicate member is refused, in any encoding of its name and at any depth",
        arguments: [
            (#"{"a":1,"a":1}"#, "a"), (#"{"a":1,"\u0061":2}"#, "a"), (#"{"\u0061":1,"a":2}"#, "a"),
            (#"{"a":1,"b":2,"a":3}"#, "a"), (#"{"":1,"":2}"#, ""), (#"{"/":1,"\/":2}"#, "/"),
            (#"{"𝄞":1,"\ud834\udd1e":2}"#, "𝄞"), (#"{"\u0000":1,"\u0000":2}"#, "\u{0}"),
            (#"{"x":{"a":1,"a":2}}"#, "a"), (#"[[{"a":{},"a":[]}]]"#, "a"), (#"{"x":[{"y":{"a":1,"a":2}}]}"#, "a"),
            (#"{"a":{"a":1},"a":2}"#, "a"),
        ]
    )
    func refusesDuplicates(document: String, name: String) {
        #expect(throws: StrictJSONError.duplicateMember(name)) { try read(document) }
    }

    @Test(
        "A character and its escape are the same name, and no other character is",
        arguments: [
            0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x103FF, 0x10400, 0x1F600, 0x1FFFF,
            0x20000,
            0xFFFFF, 0x100000, 0x10FFFF,
        ] as [UInt32])
    func escapedNames(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let escape = String(scalar).utf16.map { #"\u"# + String(UInt32($0) + 0x10000, radix: 16).suffix(4) }.joined()
        #expect(throws: StrictJSONError.duplicateMember(String(scalar))) {
            try read(#"{"\#(scalar)":1,"\#(escape)":2}"#)
        }
        for bit in 0..<20 {
            guard let other = Unicode.Scalar(value ^ 1 << bit), other.value >= 0x20, !["\"", "\\"].contains(other)
            else { continue }
            #expect(throws: Never.self) { try read(#"{"\#(other)":1,"\#(escape)":2}"#) }
        }
    }

    @Test("Canonically equivalent names are refused, because Foundation's decoder keeps only one of them")
    func refusesEquivalentNames() throws {
        let document = #"{"\#u{E9}":1,"e\#u{301}":2}"#
        #expect(try JSONDecoder().decode([String: Int].self, from: Data(document.utf8)).count == 1)
        #expect {
            try read(document)
        } throws: { error in
            if case .duplicateMember = error as? StrictJSONError { true } else { false }
        }
    }

    @Test("A document may have 1 KiB of names that are not ASCII, because such names are slow to compare")
    func namesThatAreNormalised() {
        // A base letter and marks in the order that normalisation must reverse.
        let name = "a" + String(repeating: "\u{323}\u{302}", count: 63)
        let names = (10..<14).map { name + String($0) }
        let members = names.map { "\"\($0)\":0" }
        #expect(names.reduce(0) { $0 + $1.utf8.count } == 1020)
        #expect(throws: Never.self) { try read("{" + members.joined(separator: ",") + #","éé":0}"#) }
        #expect(throws: StrictJSONError.tooLarge) { try read("{" + members.joined(separator: ",") + #","ééé":0}"#) }
        #expect(throws: StrictJSONError.tooLarge) {
            try read("[" + members.map { "{\($0)}" }.joined(separator: ",") + #",{"ééé":0}]"#)
        }
        // Texts and ASCII names do not count.
        #expect(throws: Never.self) { try read("[\"" + String(repeating: "é", count: 4000) + "\"]") }
        #expect(throws: Never.self) { try read("{\"" + String(repeating: "a", count: 4000) + "\":0}") }
    }

    @Test("A value keeps the order of its members and the digits of its numbers")
    func orderedValue() throws {
        let text = #"{"b":[1.00,-0,1e2,true,null],"a":{"ü":"\u00e9"}}"#
        let value = try StrictJSON.decode(JSONValue.self, from: Array(text.utf8))
        #expect(value.json == #"{"b":[1.00,-0,1e2,true,null],"a":{"ü":"é"}}"#)
        #expect(value["a"]?["ü"]?.string == "é")
        #expect(value["b"]?.array?.count == 5)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
    }

    @Test("The depth is the number of open arrays and objects")
    func depth() {
        let limits = JSONLimits(byteCount: 1000, depth: 3)
        for document in ["[[[]]]", "[[[],[]],[[]]]", #"{"a":[{}]}"#, #"[{"a":[1]},{"a":{}}]"#] {
            #expect(throws: Never.self) { try read(document, limits: limits) }
        }
        for document in ["[[[[]]]]", #"{"a":[{"a":{}}]}"#, "[[[[", "[[],[[[1]]]]"] {
            #expect(throws: StrictJSONError.tooDeep) { try read(document, limits: limits) }
        }
        #expect(throws: Never.self) { try read("1", limits: JSONLimits(byteCount: 1, depth: 0)) }
        #expect(throws: StrictJSONError.tooDeep) { try read("[]", limits: JSONLimits(byteCount: 2, depth: 0)) }
    }

    @Test("A message may be nested 8 deep and have 64 KiB, and no more")
    func messageLimits() {
        let nested = String(repeating: "[", count: 8) + String(repeating: "]", count: 8)
        #expect(throws: Never.self) { try read(nested) }
        #expect(throws: StrictJSONError.tooDeep) { try read("[\(nested)]") }
        let large = "\"" + String(repeating: "a", count: 64 * 1024 - 2) + "\""
        #expect(throws: Never.self) { try read(large) }
        #expect(throws: StrictJSONError.tooLarge) { try read(large + " ") }
    }

    @Test(
        "Nesting of any depth is refused without exhausting the stack, whatever the requested limit",
        arguments: ["[", #"{"a":"#, #"[{"a":"#]
    )
    func deepNesting(opening: String) async throws {
        let document = String(repeating: opening, count: 1_000_000)
        let limits = JSONLimits(byteCount: .max, depth: .max)
        #expect(limits.depth == JSONLimits.greatestDepth)
        #expect(throws: StrictJSONError.tooDeep) { try read(document, limits: limits) }
    }

    @Test("Random values are read in any encoding")
    func readsRandomValues() throws {
        var writer = JSONWriter(seed: 8259)
        for _ in 0..<1500 {
            let tree = writer.value(depth: 6)
            let document = writer.write(tree)
            #expect(try read(document, as: JSONTree.self) == tree, "\(document)")
        }
    }

    @Test("No damaged document is accepted that Foundation refuses")
    func damagedDocuments() throws {
        var writer = JSONWriter(seed: 7159)
        var accepted = 0
        for _ in 0..<300 {
            let document = Array(writer.write(writer.value(depth: 4)).utf8)
            for _ in 0..<30 {
                let damaged = writer.generator.mutate(document, alphabet: #"{}[]",:\u0123456789dDeE+-. tfn"#)
                guard (try? StrictJSON.decode(JSONTree.self, from: damaged)) != nil else { continue }
                accepted += 1
                #expect(throws: Never.self, "\(String(decoding: damaged, as: UTF8.self))") {
                    try JSONSerialization.jsonObject(with: Data(damaged), options: .fragmentsAllowed)
                }
            }
        }
        // Without this check, the test would pass if every document were refused.
        #expect(accepted > 500)
    }

    @Test(
        "A whole number of any length is read in one pass", .timeLimit(.minutes(20)),
        arguments: [("1.", 1), ("-7.", -7), ("0.", 0), ("-0.", 0)])
    func longNumber(start: String, integer: Int) throws {
        let document = start + String(repeating: "0", count: 60_000)
        #expect(try read(document, as: Int.self) == integer)
        #expect(throws: StrictJSONError.unexpectedShape(path: "")) { try read(document + "1", as: Int.self) }
    }

    @Test("The error names the member whose value has the wrong form")
    func shape() {
        struct Outer: Decodable { let inner: [Inner] }
        struct Inner: Decodable { let count: Int }
        func expect(_ path: String, for document: String) {
            #expect(throws: StrictJSONError.unexpectedShape(path: path)) { try read(document, as: Outer.self) }
        }
        expect("inner", for: "{}")
        expect("inner", for: #"{"inner":1}"#)
        expect("inner", for: #"{"inner":null}"#)
        expect("inner.Index 1.count", for: #"{"inner":[{"count":1},{"count":"1"}]}"#)
        expect("inner.Index 0.count", for: #"{"inner":[{}]}"#)
        expect("", for: "[]")
    }

    @Test("Members are written in the order of their names, without white space and without needless escapes")
    func writing() {
        let value = ["b": ["/": "é"], "a": ["z": "\"", "B": ""]]
        #expect(String(decoding: StrictJSON.encode(value), as: UTF8.self) == #"{"a":{"B":"","z":"\""},"b":{"/":"é"}}"#)
    }

    @discardableResult
    private func read<Value: Decodable>(
        _ document: String, as type: Value.Type = AnyJSON.self, limits: JSONLimits = .message
    ) throws -> Value {
        try StrictJSON.decode(type, from: Data(document.utf8), limits: limits)
    }
}
