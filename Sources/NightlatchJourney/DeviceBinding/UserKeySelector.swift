/// Asks a person which of several keys is to sign.
public protocol UserKeySelector {
    /// Asks for a key.
    ///
    /// - Returns: One of `userKeys`, or nil if the person cancelled. After the callback's timeout, the answer is
    ///   ignored.
    func selectKey(userKeys: [UserKey], prompt: Prompt) async -> UserKey?
}
