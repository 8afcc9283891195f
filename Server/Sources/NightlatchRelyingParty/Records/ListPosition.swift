import NightlatchWire

/// A place in a list that is ordered by a folded text and then by an id: after all rows up to it.
public struct ListPosition: Hashable, Sendable {
    public let text: SearchText
    /// The id of the last row before the place; empty to begin with the first row that has this text.
    public let id: String

    public init(text: SearchText, id: String) {
        self.text = text
        self.id = id
    }

    /// The place after a device.
    public init(after device: DeviceRecord) {
        self.init(text: SearchText(device.name.rawValue), id: device.id.rawValue)
    }

    /// The place after a user.
    public init(after user: UserRecord) {
        self.init(text: SearchText(user.id.rawValue), id: user.id.rawValue)
    }
}

extension ListPosition {
    /// The place before the first text that begins with `prefix`, or `position` if that is later.
    package static func start(of prefix: SearchText?, _ position: ListPosition?) -> ListPosition {
        let start = ListPosition(text: prefix ?? SearchText(stored: ""), id: "")
        guard let position, start.isBefore(position.text, id: position.id) else { return start }
        return position
    }

    /// Whether a row with `text` and `id` comes after this place, in the order of bytes.
    package func isBefore(_ text: SearchText, id other: String) -> Bool {
        let (left, right) = (Array(self.text.folded.utf8), Array(text.folded.utf8))
        return left == right ? id.utf8.lexicographicallyPrecedes(other.utf8) : left.lexicographicallyPrecedes(right)
    }
}
