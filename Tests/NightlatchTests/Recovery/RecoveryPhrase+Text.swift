import Nightlatch
import Testing

extension RecoveryPhrase {
    init(_ text: String) throws(RecoveryPhraseError) {
        try self.init(typed: SecretBytes(copying: Array(text.utf8)))
    }

    init(entropy: [UInt8]) throws {
        let wordCount = try #require(WordCount(rawValue: entropy.count * 3 / 4))
        self.init(wordCount: wordCount, entropy: SecretBytes(copying: entropy))
    }

    /// All words, separated by spaces.
    var text: String { positions.map { word(at: $0) }.joined(separator: " ") }
}
