import Foundation

/// What binding and signing nodes give to be signed.
enum JourneyChallenge {
    /// 32 random bytes in standard Base64 with padding: 44 characters.
    static func make() -> String { Data(RandomBytes.make(count: 32)).base64EncodedString() }

    /// Whether ``make()`` could have made `text`. No text that a person is to understand looks so.
    static func couldHaveMade(_ text: String) -> Bool { Data(base64Encoded: text)?.count == 32 }
}
