/// Text for a terminal, without characters that move the cursor or change the direction of text, and with a known
/// width.
package struct TerminalText: Hashable, Sendable {
    package let characters: String

    package init(_ text: some StringProtocol) {
        characters = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { Self.mayBeShown($0) ? $0 : Self.replacement }))
    }

    /// The width in columns.
    package var width: Int { characters.reduce(0) { $0 + Self.width(of: $1) } }

    /// Returns the text in lines of at most `columns`, broken between words. A word that is longer is broken, too.
    package func wrapped(to columns: Int) -> [String] {
        var lines: [String] = []
        var (line, lineWidth) = ("", 0)
        for word in characters.split(separator: " ") {
            let wordWidth = word.reduce(0) { $0 + Self.width(of: $1) }
            if !line.isEmpty {
                if lineWidth + 1 + wordWidth <= columns {
                    line += " "
                    lineWidth += 1
                } else {
                    lines.append(line)
                    (line, lineWidth) = ("", 0)
                }
            }
            for character in word {
                let width = Self.width(of: character)
                if lineWidth + width > columns, !line.isEmpty {
                    lines.append(line)
                    (line, lineWidth) = ("", 0)
                }
                line.append(character)
                lineWidth += width
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private static let replacement: Unicode.Scalar = "?"

    private static func mayBeShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    /// Returns the number of columns: two for wide characters of East Asian scripts and for pictographs (Unicode
    /// Standard Annex #11), one for all others. Treats all characters of a block alike.
    private static func width(of character: Character) -> Int {
        let first = character.unicodeScalars[character.unicodeScalars.startIndex]
        return wideBlocks.contains { $0.contains(first.value) } ? 2 : 1
    }

    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
