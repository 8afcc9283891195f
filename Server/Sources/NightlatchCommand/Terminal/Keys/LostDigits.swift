/// Whether a person is in the midst of typing a PIN whose first digits were not entered, because they came during a wait or while another
/// program had the terminal. What is left of it would be another PIN, so nothing of it is entered until the person pauses.
package struct LostDigits: Hashable, Sendable {
    private var isTyping = false

    package init() {}

    /// Whether the key is not to be entered.
    ///
    /// - Parameter isWaiting: Whether the pad takes no digit now.
    package mutating func lose(_ key: TerminalKey, isWaiting: Bool) -> Bool {
        switch key {
        case .digit:
            if isWaiting { isTyping = true }
            return isTyping
        case .enter: return isTyping
        case .letter, .delete, .deleteAll, .up, .down, .left, .right, .cancel, .suspend, .redraw: return false
        }
    }

    /// Something was typed that was not entered.
    package mutating func begin() { isTyping = true }

    /// Nothing was typed for a while.
    package mutating func pause() { isTyping = false }
}
