import Nightlatch
import NightlatchCommand
import NightlatchUI
import Testing

@Suite("The picture of a pad at a terminal")
struct PadPictureTests {
    private static let wide = TerminalSize(columns: 80, rows: 24)
    private static let unicode = TerminalCapabilities(drawsPictures: true, hasUnicode: true, hasColor: true)

    private func picture(
        _ display: PinPadDisplay,
        focus: PadGrid.Place? = nil,
        size: TerminalSize = wide,
        capabilities: TerminalCapabilities = unicode
    ) -> PadPicture {
        PadPicture(display, focus: focus, size: size, capabilities: capabilities)
    }

    private func rows(_ picture: PadPicture) -> [String] {
        picture.text.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }

    @Test(
        "The picture shows ten digits, delete and submit, a filled circle for each digit and an open one for the next")
    func entering() throws {
        var pad = try PinPad.entering()
        pad.type("295")
        #expect(
            rows(picture(pad.display)).map { $0.trimmed } == [
                "Enter your PIN",
                "to unlock the vault",
                "●  ●  ●  ○",
                "╭─────┬─────┬─────╮",
                "│  1  │  2  │  3  │",
                "├─────┼─────┼─────┤",
                "│  4  │  5  │  6  │",
                "├─────┼─────┼─────┤",
                "│  7  │  8  │  9  │",
                "├─────┼─────┼─────┤",
                "│  ⌫  │  0  │  ⏎  │",
                "╰─────┴─────┴─────╯",
                "type, or arrows and Return   f: forgotten   ⌃C: cancel",
            ])
    }

    @Test("The picture of a payment after a wrong PIN equals the one in docs/terminal.md")
    func documented() throws {
        var pad = try PinPad.entering(
            reason: """
                to confirm this:
                Pay: 129.90 EUR
                To: Night Train Ltd
                Reference: Berth 7, Friday
                Until: 2026-11-22T00:52:41Z
                """, failureCount: 1, lastTry: .wrong(triesLeft: 9, wait: nil))
        pad.type("295")
        let shown = DocumentedScreen(picture(pad.display).text.joined(separator: "\n"))
        #expect(try DocumentedScreen(containing: "to confirm this:", in: "docs/terminal.md") == shown)
    }

    @Test("For a PIN of known length there is a circle for each digit and no submit key")
    func knownLength() throws {
        var pad = try PinPad.choosing()
        pad.type("29")
        let lines = rows(picture(pad.display))
        #expect(lines[0].trimmed == "Choose a PIN" && lines[1] == "●  ●  ○  ○  ○  ○")
        #expect(lines.contains("│  ⌫  │  0  │     │"))
    }

    @Test("The picture does not depend on the typed digits, in any state, order or window", arguments: [1, 3, 6, 12])
    func tellsNoDigit(count: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let sizes = [Self.wide, TerminalSize(columns: 40, rows: 24), TerminalSize(columns: 30, rows: 9)]
        for _ in 0..<5 {
            let order = PinPadOrder.shuffled(using: &generator)
            let displays = try (0..<2).map { _ in
                var pad = try PinPad.entering(failureCount: 1, order: order)
                pad.type(String((0..<count).map { _ in "0123456789".randomElement(using: &generator) ?? "0" }))
                return pad.display
            }
            for size in sizes {
                #expect(picture(displays[0], size: size) == picture(displays[1], size: size))
            }
        }
    }

    @Test("The digits appear in the order of the pad")
    func shuffled() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10 {
            let order = PinPadOrder.shuffled(using: &generator)
            let text = picture(try PinPad.entering(order: order).display).text.joined()
            #expect(text.filter { $0.isNumber } == order.digits.map { "\($0.rawValue)" }.joined())
        }
    }

    @Test(
        "The picture shows the reason, the attempts left and the countdown, rounded up to the second",
        arguments: [
            (Duration.milliseconds(29_001), "Locked. Try again in 0:30."),
            (.seconds(300), "Locked. Try again in 5:00."),
            (.seconds(3661), "Locked. Try again in 1:01:01."), (.milliseconds(1), "Locked. Try again in 0:01."),
        ])
    func countdown(wait: Duration, expected: String) throws {
        let pad = try PinPad.entering(failureCount: 3, lastTry: .wrong(triesLeft: 7, wait: wait), wait: wait)
        let lines = rows(picture(pad.display)).map { $0.trimmed }
        #expect(lines.contains("Wrong PIN. 7 attempts left.") && lines.contains(expected))
    }

    @Test("Keys are faint while no PIN can be tried")
    func locked() throws {
        let locked = try PinPad.entering(failureCount: 3, wait: .seconds(9)).display
        let open = try PinPad.entering(failureCount: 3).display
        let seven = { (picture: PadPicture) in picture.lines.joined().first { $0.text == "  7  " }?.role }
        #expect(seven(picture(locked)) == .faint && seven(picture(open)) == .plain)
    }

    @Test("The focused key is marked, even without colour")
    func focus() throws {
        let display = try PinPad.entering().display
        let picture = picture(display, focus: .middle.moved(rows: 1, columns: 1))
        #expect(picture.text.contains { $0.contains("│  8  │[ 9 ]│") })
    }

    @Test("The picture explains a refused new PIN, asks for the same PIN again, and reports that two PINs differ")
    func choosing() throws {
        var pad = try PinPad.choosing()
        pad.type("123456")
        #expect(rows(picture(pad.display)).contains { $0.hasPrefix("This PIN is not allowed: it counts up or down.") })
        pad.type("295038")
        #expect(rows(picture(pad.display))[0].trimmed == "Enter the new PIN again")
        pad.type("295039")
        #expect(rows(picture(pad.display)).contains { $0.hasPrefix("The two PINs differ. Choose again.") })
    }

    @Test("The picture offers biometrics only where they are available")
    func biometrics() throws {
        let with = picture(try PinPad.entering(offersBiometrics: true).display).text.joined()
        let without = picture(try PinPad.entering().display).text.joined()
        #expect(with.contains("b: biometrics") && !without.contains("biometrics"))
    }

    @Test("Before a PIN is given up, the picture asks for confirmation without a pad")
    func forgotten() throws {
        var pad = try PinPad.entering()
        _ = pad.handle(.press(.forgotten))
        let lines = rows(picture(pad.display))
        #expect(
            lines.first?.trimmed == "Is the PIN forgotten?"
                && lines.last?.trimmed == "y: give it up   n: back   ⌃C: cancel")
        #expect(!lines.joined().contains { $0.isNumber || $0 == "○" })
    }

    @Test("The picture is plain ASCII where the terminal has no Unicode")
    func ascii() throws {
        var pad = try PinPad.entering()
        pad.type("29")
        let plain = TerminalCapabilities(drawsPictures: true, hasUnicode: false, hasColor: false)
        let lines = rows(picture(pad.display, capabilities: plain))
        #expect(lines.joined().allSatisfy { $0.isASCII })
        #expect(lines.contains { $0 == "*  *  ." } && lines.contains("| DEL |  0  | OK  |"))
    }

    @Test(
        "The picture never exceeds the window, and reports if an important part does not fit",
        arguments: [1, 2, 7, 15, 16, 23, 40, 60, 90])
    func fits(columns: Int) throws {
        let reason = "to confirm this:\nPay: 129.90 EUR\nTo: 夜行列車 Ltd\nReference: \(String(repeating: "x", count: 70))"
        let display = try PinPad.entering(
            reason: reason, failureCount: 3, lastTry: .wrong(triesLeft: 7, wait: .seconds(30)), wait: .seconds(30)
        ).display
        let wrong = [1, 2, 5, 9, 11, 13, 17, 24, 40].filter { rows in
            let picture = picture(display, size: TerminalSize(columns: columns, rows: rows))
            let text = picture.text.joined().filter { $0 != " " }
            let isAllThere =
                ["129.90EUR", "夜行列車", "0:30", "○"].allSatisfy { text.contains($0) }
                && text.filter { $0 == "x" }.count == 70
            return picture.lines.count > rows || picture.text.contains { TerminalText($0).width > columns }
                || picture.isComplete != isAllThere
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        "In a smaller window the picture first drops the frames of the keys, then the keys",
        arguments: [(16, true, 10), (15, false, 10), (10, false, 0), (4, false, 0)])
    func smaller(rowCount: Int, hasFrames: Bool, digitCount: Int) throws {
        let picture = picture(try PinPad.entering().display, size: TerminalSize(columns: 80, rows: rowCount))
        let text = picture.text.joined()
        #expect(
            picture.isComplete && text.filter { $0.isNumber }.count == digitCount && text.contains("│") == hasFrames)
    }

    @Test("Nothing is shown by colour alone, and no colour is used where none is wanted")
    func colour() {
        let span = PadSpan("Wrong PIN.", .wrong)
        #expect(span.encoded(inColor: true) == "\u{1B}[31mWrong PIN.\u{1B}[0m")
        #expect(span.encoded(inColor: false) == "\u{1B}[1mWrong PIN.\u{1B}[0m")
        #expect(PadSpan("●", .circle).encoded(inColor: false) == "●")
    }
}

extension String {
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
