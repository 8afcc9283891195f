/// Makes random JSON values and writes them in all forms that RFC 8259 allows: with white space anywhere, and with
/// characters escaped or not.
struct JSONWriter {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func value(depth: Int) -> JSONTree {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &generator) {
        case 0: .null
        case 1: .bool(.random(using: &generator))
        case 2: .number(number())
        case 3: .text(text())
        case 4: .list((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1) })
        default:
            .object(
                (0..<Int.random(in: 0...4, using: &generator)).reduce(into: [:]) { members, _ in
                    members[text()] = value(depth: depth - 1)
                }
            )
        }
    }

    mutating func write(_ tree: JSONTree) -> String {
        let core =
            switch tree {
            case .null: "null"
            case .bool(let bool): bool ? "true" : "false"
            case .number(let number): write(number)
            case .text(let text): write(text)
            case .list(let list):
                "[" + (list.isEmpty ? whitespace() : list.map { write($0) }.joined(separator: ",")) + "]"
            case .object(let members):
                "{"
                    + (members.isEmpty
                        ? whitespace()
                        : members.map { whitespace() + write($0) + whitespace() + ":" + write($1) }
                            .joined(separator: ",")) + "}"
            }
        return whitespace() + core + whitespace()
    }

    private mutating func number() -> Double {
        let whole = Double(Int.random(in: -1_000_000...1_000_000, using: &generator))
        return [whole, whole / 1024, whole * 1e30, whole * 1e-30, 0][Int.random(in: 0..<5, using: &generator)]
    }

    /// Writes a number in Swift's form, or with a capital or signed exponent.
    private mutating func write(_ number: Double) -> String {
        let plain = number.description
        guard !plain.contains("e"), Bool.random(using: &generator) else { return plain }
        return plain + (["e0", "E0", "e+0", "E-0", "e00"].randomElement(using: &generator) ?? "")
    }

    private mutating func text() -> String {
        String((0..<Int.random(in: 0...8, using: &generator)).map { _ in character() })
    }

    private mutating func character() -> Character {
        let scalars: [Unicode.Scalar] = [
            "\"", "\\", "/", "\u{0}", "\u{1F}", "\u{7F}", "é", "\u{2028}", "한", "𝄞", "\u{10FFFF}",
        ]
        let ascii = Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &generator))
        return Character(Bool.random(using: &generator) ? ascii : scalars.randomElement(using: &generator) ?? ascii)
    }

    private mutating func write(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "\"") { $0 += write($1) } + "\""
    }

    private mutating func write(_ scalar: Unicode.Scalar) -> String {
        let short: [Unicode.Scalar: String] = [
            "\"": #"\""#, "\\": #"\\"#, "/": #"\/"#, "\u{8}": #"\b"#, "\u{C}": #"\f"#, "\n": #"\n"#, "\r": #"\r"#,
            "\t": #"\t"#,
        ]
        let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        switch Int.random(in: 0..<3, using: &generator) {
        case 0 where !mustEscape: return String(scalar)
        case 1: if let escape = short[scalar] { return escape }
        default: break
        }
        return scalar.utf16.map { unit in
            let digits = String(unit, radix: 16, uppercase: Bool.random(using: &generator))
            return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private mutating func whitespace() -> String {
        String(
            (0..<max(0, Int.random(in: -4...2, using: &generator))).map { _ in
                [" ", "\t", "\n", "\r"].randomElement(using: &generator) ?? " "
            }.joined())
    }
}
