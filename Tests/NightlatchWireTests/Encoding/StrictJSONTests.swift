import Foundation
import NightlatchWire
import Testing

@Suite("Strict JSON")
struct StrictJSONTests {
    @Test(
        "reads every form that RFC 8259 allows",
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
        "refuses what is not JSON",
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

    @Test("refuses control characters, except white space between values", arguments: UInt8(0)..<0x20)
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
        "refuses bytes that are not UTF-8",
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
        "refuses a member named twice, however the name is written and however deep it lies",
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
        "takes a character and its escape for one name, and no other character's",
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

    @Test("refuses two names that are canonically equivalent, because Foundation's decoder keeps only one of them")
    func refusesEquivalentNames() throws {
        let document = #"{"\#u{E9}":1,"e\#u{301}":2}"#
        #expect(try JSONDecoder().decode([String: Int].self, from: Data(document.utf8)).count == 1)
        #expect {
            try read(document)
        } throws: { error in
            if case .duplicateMember = error as? StrictJSONError { true } else { false }
        }
    }

    @Test(
        "takes 1 KiB of names that are not ASCII in one document, and refuses more, because such names are slow to compare"
    )
    func namesThatAreNormalised() {
        // A base letter and marks in the order that normalising has to turn round.
        let name = "a" + String(repeating: "\u{323}\u{302}", count: 63)
        let names = (10..<14).map { name + String($0) }
        let members = names.map { "\"\($0)\":0" }
        #expect(names.reduce(0) { $0 + $1.utf8.count } == 1020)
        #expect(throws: Never.self) { try read("{" + members.joined(separator: ",") + #","éé":0}"#) }
        #expect(throws: StrictJSONError.tooLarge) { try read("{" + members.joined(separator: ",") + #","ééé":0}"#) }
        #expect(throws: StrictJSONError.tooLarge) {
            try read("[" + members.map { "{\($0)}" }.joined(separator: ",") + #",{"ééé":0}]"#)
        }
        // Neither texts nor names of ASCII count.
        #expect(throws: Never.self) { try read("[\"" + String(repeating: "é", count: 4000) + "\"]") }
        #expect(throws: Never.self) { try read("{\"" + String(repeating: "a", count: 4000) + "\":0}") }
    }

    @Test("gives a value as it was parsed, its members in their order and its numbers as they were written")
    func orderedValue() throws {
        let text = #"{"b":[1.00,-0,1e2,true,null],"a":{"ü":"\u00e9"}}"#
        let value = try StrictJSON.decode(JSONValue.self, from: Array(text.utf8))
        #expect(value.json == #"{"b":[1.00,-0,1e2,true,null],"a":{"ü":"é"}}"#)
        #expect(value["a"]?["ü"]?.string == "é")
        #expect(value["b"]?.array?.count == 5)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
    }

    @Test("counts depth in arrays and objects that are open, not in all that there are")
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

    @Test("takes a message nested 8 deep and of 64 KiB, and no more")
    func messageLimits() {
        let nested = String(repeating: "[", count: 8) + String(repeating: "]", count: 8)
        #expect(throws: Never.self) { try read(nested) }
        #expect(throws: StrictJSONError.tooDeep) { try read("[\(nested)]") }
        let large = "\"" + String(repeating: "a", count: 64 * 1024 - 2) + "\""
        #expect(throws: Never.self) { try read(large) }
        #expect(throws: StrictJSONError.tooLarge) { try read(large + " ") }
    }

    @Test(
        "refuses nesting of any depth without using up the stack, whatever limit was asked for",
        arguments: ["[", #"{"a":"#, #"[{"a":"#]
    )
    func deepNesting(opening: String) async throws {
        let document = String(repeating: opening, count: 1_000_000)
        let limits = JSONLimits(byteCount: .max, depth: .max)
        #expect(limits.depth == JSONLimits.greatestDepth)
        #expect(throws: StrictJSONError.tooDeep) { try read(document, limits: limits) }
    }

    @Test("reads back random values, however they are written")
    func readsRandomValues() throws {
        var writer = JSONWriter(seed: 8259)
        for _ in 0..<1500 {
            let tree = writer.value(depth: 6)
            let document = writer.write(tree)
            #expect(try read(document, as: JSONTree.self) == tree, "\(document)")
        }
    }

    @Test("accepts nothing among thousands of damaged documents that Foundation refuses")
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
        // The test would say nothing if all that it makes were refused.
        #expect(accepted > 500)
    }

    @Test(
        "reads a whole number in one pass, however long it is written", .timeLimit(.minutes(20)),
        arguments: [("1.", 1), ("-7.", -7), ("0.", 0), ("-0.", 0)])
    func longNumber(start: String, integer: Int) throws {
        let document = start + String(repeating: "0", count: 60_000)
        #expect(try read(document, as: Int.self) == integer)
        #expect(throws: StrictJSONError.unexpectedShape(path: "")) { try read(document + "1", as: Int.self) }
    }

    @Test("names the member whose value is not of the shape asked for")
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

    @Test("writes members in the order of their names, without white space and without needless escapes")
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
