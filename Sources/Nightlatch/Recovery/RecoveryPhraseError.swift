/// Why typed words are no recovery phrase. Ask again; nothing was tried and nothing was counted.
public enum RecoveryPhraseError: Error, Hashable, Sendable {
    /// More text than any phrase has. It was not looked at; something else was pasted, most likely.
    case tooLong(byteLimit: Int)
    /// Neither 12 words nor 24, but so many: one is missing, doubled or broken in two. `unknown` are those of the first 24 that
    /// are not in the list.
    case wordCount(Int, unknown: [UnknownRecoveryWord])
    /// These words are not in the list: mistyped, or misread.
    case unknownWords([UnknownRecoveryWord])
    /// All words exist but do not belong together: one was taken for another, or two were swapped.
    case checksum
}

/// A typed word that is not in the list.
///
/// Its text form and its mirror tell the position alone: ``candidates`` are all but the phrase's own words, so they are for the
/// person's eyes and for no log.
public struct UnknownRecoveryWord: Hashable, Sendable {
    /// The place among the typed words, from 1.
    public let position: Int
    /// What may have been meant, the likeliest first: at most three words of the list, none if nothing is near.
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
