import NightlatchUI

/// Decodes keys from the bytes that a terminal sends (ECMA-48, section 5.4; xterm's control sequences).
///
/// It takes one byte at a time, so a sequence may be split at any place. The size of its state does not depend on the
/// length of a sequence. A digit within a sequence is not a key. A control character ends any sequence and counts as a
/// key. Pasted text, which the terminal encloses in two sequences, contains no keys except ⌃C.
package struct TerminalKeyDecoder: Hashable, Sendable {
    private enum State: Hashable {
        case ground
        case escape
        /// After ESC [. The value is the first number of the sequence, up to a limit.
        case control(number: Int, isFirst: Bool)
        /// After ESC O.
        case singleShift
    }

    private static let greatestNumber = 9999
    private static let (pasteBegins, pasteEnds) = (200, 201)

    private var state = State.ground
    private var isPasting = false

    package init() {}

    /// Decodes a byte. Returns the key that it completes; nil if it completes none.
    package mutating func take(_ byte: UInt8) -> TerminalKey? {
        if byte < 0x20 || byte == 0x7F {
            state = byte == 0x1B ? .escape : .ground
            return isPasting && byte != 0x03 ? nil : Self.key(ofControl: byte)
        }
        switch state {
        case .ground: return isPasting ? nil : Self.key(ofCharacter: byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .control(number: 0, isFirst: true)
            case UInt8(ascii: "O"): state = .singleShift
            // A character typed together with the Alt key.
            default: state = .ground
            }
            return nil
        case .control(let number, let isFirst):
            return takeControl(byte, number: number, isFirst: isFirst)
        case .singleShift:
            state = .ground
            return isPasting ? nil : Self.key(ofSingleShift: byte)
        }
    }

    /// Handles a pause in the input: a single ESC was the Escape key, which has no function here, and a paste has
    /// ended.
    package mutating func pause() {
        if state == .escape { state = .ground }
        isPasting = false
    }

    private mutating func takeControl(_ byte: UInt8, number: Int, isFirst: Bool) -> TerminalKey? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9") where isFirst:
            state = .control(
                number: min(number * 10 + Int(byte - UInt8(ascii: "0")), Self.greatestNumber), isFirst: true)
            return nil
        case 0x20...0x3F:
            state = .control(number: number, isFirst: false)
            return nil
        default:
            state = .ground
            if byte == UInt8(ascii: "~"), number == Self.pasteBegins || number == Self.pasteEnds {
                isPasting = number == Self.pasteBegins
                return nil
            }
            return isPasting ? nil : Self.key(ofFinal: byte, number: number)
        }
    }

    private static func key(ofControl byte: UInt8) -> TerminalKey? {
        switch byte {
        case 0x03, 0x04: .cancel
        case 0x08, 0x7F: .delete
        case 0x0A, 0x0D: .enter
        case 0x0C: .redraw
        case 0x15: .deleteAll
        case 0x1A: .suspend
        default: nil
        }
    }

    private static func key(ofCharacter byte: UInt8) -> TerminalKey? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .letter(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .letter(byte | 0x20)
        default: nil
        }
    }

    private static func key(ofFinal byte: UInt8, number: Int) -> TerminalKey? {
        switch (byte, number) {
        case (UInt8(ascii: "A"), _): .up
        case (UInt8(ascii: "B"), _): .down
        case (UInt8(ascii: "C"), _): .right
        case (UInt8(ascii: "D"), _): .left
        case (UInt8(ascii: "~"), 3): .delete
        default: nil
        }
    }

    /// Returns the key for a byte after ESC O. Terminals in application mode send these sequences for cursor and keypad
    /// keys.
    private static func key(ofSingleShift byte: UInt8) -> TerminalKey? {
        switch byte {
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "p")...UInt8(ascii: "y"): digit(byte - UInt8(ascii: "p"))
        default: key(ofFinal: byte, number: 0)
        }
    }

    private static func digit(_ value: UInt8) -> TerminalKey? {
        PinDigit(rawValue: value).map(TerminalKey.digit)
    }
}
