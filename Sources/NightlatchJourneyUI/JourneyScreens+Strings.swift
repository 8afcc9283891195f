public import NightlatchJourney
public import NightlatchUI

extension PinPadStrings {
    /// The same, but for the title: the server's own, where it has one. Where a PIN is chosen that is said, and the server's words stand below.
    public func asking(for prompt: Prompt) -> PinPadStrings {
        replacing { text in
            switch text {
            case .title(.enterPin): prompt.title.isEmpty ? nil : prompt.title
            case .detail(.choosePin):
                [prompt.title, prompt.reason].filter { !$0.isEmpty }.joined(separator: "\n")
            default: nil
            }
        }
    }
}

extension UserKey {
    /// Whose key it is, as the list says it: the user's name, or else their identity at the server.
    public var ownerName: String { username.isEmpty ? userId : username }
}
