/// Asks a person which of several keys is to sign.
public protocol UserKeySelector {
    /// - Returns: One of `userKeys`, or nil if the person has cancelled. After the callback's timeout nobody waits any more.
    func selectKey(userKeys: [UserKey], prompt: Prompt) async -> UserKey?
}
