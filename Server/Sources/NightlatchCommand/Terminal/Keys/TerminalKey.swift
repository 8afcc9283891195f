package import NightlatchUI

/// A key of a terminal that a PIN pad uses.
package enum TerminalKey: Hashable, Sendable {
    case digit(PinDigit)
    /// A lowercase ASCII letter.
    case letter(UInt8)
    case enter
    case delete
    /// ⌃U: deletes the whole line.
    case deleteAll
    case up, down, left, right
    /// ⌃C or ⌃D.
    case cancel
    /// ⌃Z.
    case suspend
    /// ⌃L.
    case redraw
}
