/// Tracks whether the user is typing a PIN whose first digits were lost. Digits are lost if the user types them during
/// a wait or while another program has the terminal.
///
/// The remaining digits would be taken for another PIN, so all digits are ignored until the user pauses.
package struct LostDigits: Hashable, Sendable {
    private var isTyping = false

    package init() {}

    /// Returns whether the key must be ignored.
    ///
    /// - Parameter isWaiting: Whether the pad accepts no digits now.
    package mutating func lose(_ key: TerminalKey, isWaiting: Bool) -> Bool {
        switch key {
        case .digit:
            if isWaiting { isTyping = true }
            return isTyping
        case .enter: return isTyping
        case .letter, .delete, .deleteAll, .up, .down, .left, .right, .cancel, .suspend, .redraw: return false
        }
    }

    /// Records that typed digits were discarded.
    package mutating func begin() { isTyping = true }

    /// Records that nothing was typed for a while.
    package mutating func pause() { isTyping = false }
}
