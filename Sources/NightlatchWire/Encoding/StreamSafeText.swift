/// Texts that cost little to compare.
public enum StreamSafeText {
    /// How many characters in a row may combine with the one before them
    /// ([UAX #15, Stream-Safe Text Format](https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format)).
    public static let longestRun = 30

    /// Whether `text` has no longer row of characters that combine. It takes time in proportion to the length.
    public static func accepts(_ text: String, longestRun: Int = longestRun) -> Bool {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return true }
        var run = 0
        for scalar in text.unicodeScalars {
            run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            if run > longestRun { return false }
        }
        return true
    }
}
