/// An error that occurs while reading a typed recovery phrase. Ask again: nothing was tried, and no attempt was
/// counted.
public enum RecoveryPhraseError: Error, Hashable, Sendable {
    /// The text is longer than any phrase. It was not read; most likely something else was pasted.
    case tooLong(byteLimit: Int)
    /// The text has this number of words, neither 12 nor 24: a word is missing, repeated or split. `unknown` contains
    /// those of the first 24 words that are not in the list.
    case wordCount(Int, unknown: [UnknownRecoveryWord])
    /// These words are not in the list: they were mistyped or misread.
    case unknownWords([UnknownRecoveryWord])
    /// All words are in the list, but the checksum is wrong: a word was replaced by another, or two were swapped.
    case checksum
}

/// A typed word that is not in the list.
///
/// Its description and its mirror contain only the position. The ``candidates`` are almost the phrase's own words, so
/// show them to the user and never log them.
public struct UnknownRecoveryWord: Hashable, Sendable {
    /// The position among the typed words, starting at 1.
    public let position: Int
    /// The words that the user may have meant, the most likely first: at most three words of the list, none if
    /// nothing is similar.
    public let candidates: [String]

    init(position: Int, typed: Slice<UnsafeBufferPointer<UInt8>>) {
        self.position = position
        candidates = unsafe RecoveryWordList.nearest(to: typed).map(\.text)
    }
}

extension UnknownRecoveryWord: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "word \(position)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["position": position]) }
}
