/// A check for texts that are cheap to compare.
public enum StreamSafeText {
    /// The maximum number of consecutive combining characters
    /// ([UAX #15, Stream-Safe Text Format](https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format)).
    public static let longestRun = 30

    /// Whether `text` has at most `longestRun` consecutive combining characters. Takes linear time.
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
