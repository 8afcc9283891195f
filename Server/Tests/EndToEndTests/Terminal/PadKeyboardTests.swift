import NightlatchCommand
import NightlatchUI
import Testing

@Suite("The keyboard of a pad at a terminal")
struct PadKeyboardTests {
    @Test("Typed keys press keys of the pad, and Return submits")
    func typing() throws {
        let display = try PinPad.entering().display
        var keyboard = PadKeyboard()
        #expect(keyboard.act(on: .digit(.seven), at: display) == .press([.digit(.seven)]))
        #expect(keyboard.act(on: .delete, at: display) == .press([.delete]))
        #expect(keyboard.act(on: .enter, at: display) == .press([.submit]))
        #expect(keyboard.act(on: .cancel, at: display) == .withdraw)
        #expect(keyboard.focus == nil)
    }

    @Test("Deleting the line deletes as many digits as were typed")
    func deletingAll() throws {
        var pad = try PinPad.entering()
        pad.type("295")
        var keyboard = PadKeyboard()
        #expect(keyboard.act(on: .deleteAll, at: pad.display) == .press([.delete, .delete, .delete]))
    }

    @Test("The arrows reach every key of a shuffled pad from its middle and stop at its edges")
    func arrows() throws {
        var generator = SystemRandomNumberGenerator()
        let order = PinPadOrder.shuffled(using: &generator)
        let display = try PinPad.entering(order: order).display
        var pressed: Set<PinPadKey> = []
        for row in -1...2 {
            for column in -1...1 {
                var keyboard = PadKeyboard()
                // The first arrow only shows the focus.
                _ = keyboard.act(on: .up, at: display)
                for _ in 0..<abs(row) { _ = keyboard.act(on: row < 0 ? .up : .down, at: display) }
                for _ in 0..<abs(column) { _ = keyboard.act(on: column < 0 ? .left : .right, at: display) }
                guard case .press(let keys) = keyboard.act(on: .enter, at: display) else { continue }
                pressed.formUnion(keys)
            }
        }
        #expect(pressed == Set(PinDigit.allCases.map(PinPadKey.digit)).union([.delete, .submit]))
        var keyboard = PadKeyboard()
        for key in Array(repeating: TerminalKey.up, count: 9) + Array(repeating: .left, count: 9) {
            _ = keyboard.act(on: key, at: display)
        }
        #expect(keyboard.act(on: .enter, at: display) == .press([.digit(order.digits[0])]))
    }

    @Test("A typed digit clears the focus of the arrows, so that Return submits again")
    func typingAfterArrows() throws {
        let display = try PinPad.entering().display
        var keyboard = PadKeyboard()
        _ = keyboard.act(on: .up, at: display)
        #expect(keyboard.act(on: .enter, at: display) == .press([.digit(.five)]))
        _ = keyboard.act(on: .digit(.one), at: display)
        #expect(keyboard.act(on: .enter, at: display) == .press([.submit]))
    }
}
