public import NightlatchJourney
public import NightlatchUI

extension PinPadStrings {
    /// The same, but for the title: the server's own, where it has one.
    public func asking(for prompt: Prompt) -> PinPadStrings {
        replacing { text in
            guard case .title(.enterPin) = text, !prompt.title.isEmpty else { return nil }
            return prompt.title
        }
    }
}

extension UserKey {
    /// Whose key it is, as the list says it: the user's name, or else their identity at the server.
    public var ownerName: String { username.isEmpty ? userId : username }
}
