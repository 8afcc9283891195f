public import NightlatchJourney
public import NightlatchUI

extension PinPadStrings {
    /// Returns these texts with the server's title, if it has one. When the user chooses a PIN, the pad's title
    /// remains, and the server's texts are below it.
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
    /// The displayed owner of the key: the user's name, otherwise the user's identity at the server.
    public var ownerName: String { username.isEmpty ? userId : username }
}
