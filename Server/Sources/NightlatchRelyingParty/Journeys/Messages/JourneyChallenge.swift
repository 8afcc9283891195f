import Foundation

/// The random challenges of binding and signing nodes.
enum JourneyChallenge {
    /// Returns 32 random bytes in standard Base64 with padding: 44 characters.
    static func make() -> String { Data(RandomBytes.make(count: 32)).base64EncodedString() }

    /// Whether ``make()`` could have returned `text`. A text that a user can understand never has this form.
    static func couldHaveMade(_ text: String) -> Bool { Data(base64Encoded: text)?.count == 32 }
}
