package import NightlatchUI

/// A key of a terminal, as far as a PIN pad has a use for it.
package enum TerminalKey: Hashable, Sendable {
    case digit(PinDigit)
    /// A letter of ASCII, in lower case.
    case letter(UInt8)
    case enter
    case delete
    /// ⌃U: the whole line is taken back.
    case deleteAll
    case up, down, left, right
    /// ⌃C or ⌃D.
    case cancel
    /// ⌃Z.
    case suspend
    /// ⌃L.
    case redraw
}
