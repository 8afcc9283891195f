package import NightlatchUI

/// Maps a terminal's keys to actions on a pad.
///
/// The user can select a key on the screen with the arrows and press it with Return, or type digits. Typing digits
/// clears the selection.
package struct PadKeyboard: Hashable, Sendable {
    /// The action for a key.
    package enum Act: Hashable, Sendable {
        /// Press these keys of the pad, in this order.
        case press([PinPadKey])
        /// The user cancels.
        case withdraw
        case suspend
        /// Draw the pad again, and nothing else.
        case draw
    }

    /// The key selected with the arrows; nil at first and after a digit was typed.
    package private(set) var focus: PadGrid.Place?

    package init() {}

    package mutating func act(on key: TerminalKey, at display: PinPadDisplay) -> Act {
        switch key {
        case .digit(let digit):
            focus = nil
            return .press([.digit(digit)])
        case .letter(let letter): return press(letter)
        case .enter: return press(at: focus, of: display)
        case .delete: return .press([.delete])
        case .deleteAll: return .press(Array(repeating: .delete, count: display.typedCount))
        case .up: return move(rows: -1, columns: 0)
        case .down: return move(rows: 1, columns: 0)
        case .left: return move(rows: 0, columns: -1)
        case .right: return move(rows: 0, columns: 1)
        case .cancel: return .withdraw
        case .suspend: return .suspend
        case .redraw: return .draw
        }
    }

    private func press(_ letter: UInt8) -> Act {
        switch letter {
        case UInt8(ascii: "b"): .press([.biometrics])
        case UInt8(ascii: "f"): .press([.forgotten])
        case UInt8(ascii: "n"): .press([.cancel])
        case UInt8(ascii: "y"): .press([.giveUp])
        default: .draw
        }
    }

    private func press(at place: PadGrid.Place?, of display: PinPadDisplay) -> Act {
        .press([place.map { PadGrid(display.order)[$0] } ?? .submit])
    }

    private mutating func move(rows: Int, columns: Int) -> Act {
        focus = focus.map { $0.moved(rows: rows, columns: columns) } ?? .middle
        return .draw
    }
}
