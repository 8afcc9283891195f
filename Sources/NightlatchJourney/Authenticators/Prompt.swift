/// The texts of a question to a user.
public struct Prompt: Hashable, Sendable {
    public var title: String
    public var subtitle: String
    public var description: String

    /// Whether there is no text.
    var isEmpty: Bool { title.isEmpty && subtitle.isEmpty && description.isEmpty }

    public init(title: String, subtitle: String, description: String) {
        self.title = title
        self.subtitle = subtitle
        self.description = description
    }
}
