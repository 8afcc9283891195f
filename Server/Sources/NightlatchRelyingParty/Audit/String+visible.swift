extension String {
    /// The text for display in a terminal: invisible characters, and characters that change text direction or control
    /// the terminal, are written as JSON escapes.
    ///
    /// If the text is JSON, the result is equivalent JSON.
    package var withEscapes: String {
        var text = ""
        text.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                text += Self.escape(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
