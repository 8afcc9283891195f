/// Asks a user which of several keys is to sign.
public protocol UserKeySelector {
    /// Asks for a key.
    ///
    /// - Returns: One of `userKeys`, or nil if the user cancelled. After the callback's timeout, the answer is ignored.
    func selectKey(userKeys: [UserKey], prompt: Prompt) async -> UserKey?
}
