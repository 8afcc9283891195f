import NightlatchCommand
import NightlatchUI
import Testing

@Suite("Keys decoded from terminal input")
struct TerminalKeyDecoderTests {
    private func keys(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
        var decoder = TerminalKeyDecoder()
        return bytes.compactMap { decoder.take($0) }
    }

    @Test(
        "Known byte sequences are decoded as keys",
        arguments: [
            ("0", [.digit(.zero)]), ("9", [.digit(.nine)]), ("F", [.letter(UInt8(ascii: "f"))]),
            ("\r", [.enter]), ("\n", [.enter]), ("\u{7F}", [.delete]), ("\u{8}", [.delete]), ("\u{15}", [.deleteAll]),
            ("\u{3}", [.cancel]), ("\u{4}", [.cancel]), ("\u{1A}", [.suspend]), ("\u{C}", [.redraw]),
            ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
            ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
            ("\u{1B}[1;5A", [.up]), ("\u{1B}[3~", [.delete]),
            ("\u{1B}Op\u{1B}Oy\u{1B}OM", [.digit(.zero), .digit(.nine), .enter]),
        ] as [(String, [TerminalKey])])
    func known(bytes: String, expected: [TerminalKey]) {
        #expect(keys(bytes.utf8) == expected)
    }

    @Test(
        "Unknown sequences are ignored, and digits inside a sequence do not count",
        arguments: [
            "\u{1B}[5~", "\u{1B}[24;80R", "\u{1B}[?1;2c", "\u{1B}[15~", "\u{1B}1", "\u{1B}\u{1B}[2~", " ", "+", "é",
            "９", "\u{1B}[",
            "\u{1B}[99999999999999999999~", "\u{1B}[1;2;3;4;5;6;7;8;9;0m",
        ])
    func unknown(bytes: String) {
        #expect(keys(bytes.utf8).isEmpty)
    }

    @Test("The keys are the same wherever the bytes are split")
    func cut() {
        let bytes = Array("2\u{1B}[A9\u{1B}[1;5C5\u{1B}OM\u{1B}[3~0".utf8)
        let whole: [TerminalKey] = [
            .digit(.two), .up, .digit(.nine), .right, .digit(.five), .enter, .delete, .digit(.zero),
        ]
        for cut in 0...bytes.count {
            var decoder = TerminalKeyDecoder()
            let first = bytes[..<cut].compactMap { decoder.take($0) }
            // A pause may come between any two bytes except an ESC and the next one, which belong together.
            if cut == 0 || bytes[cut - 1] != 0x1B { decoder.pause() }
            #expect(first + bytes[cut...].compactMap { decoder.take($0) } == whole)
        }
    }

    @Test("The key after a lone ESC is not lost")
    func loneEscape() {
        var decoder = TerminalKeyDecoder()
        #expect(decoder.take(0x1B) == nil)
        decoder.pause()
        #expect(decoder.take(UInt8(ascii: "7")) == .digit(.seven))
    }

    @Test("Pasted text is ignored, and keys count again after it")
    func paste() {
        #expect(keys("1\u{1B}[200~295038\r\u{7F}\u{1B}[A\u{1B}[201~2".utf8) == [.digit(.one), .digit(.two)])
        var decoder = TerminalKeyDecoder()
        for byte in "\u{1B}[200~29".utf8 { #expect(decoder.take(byte) == nil) }
        #expect(decoder.take(0x03) == .cancel)
        decoder.pause()
        #expect(decoder.take(UInt8(ascii: "2")) == .digit(.two))
    }

    @Test("After any bytes, control-C cancels and digits are decoded again after a pause")
    func anyBytes() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("\u{1B}[O0;~A?9 p\u{7}".utf8) + [0x9B, 0xC3, 0xFF]
        let deaf = (0..<2000).compactMap { _ -> [UInt8]? in
            var decoder = TerminalKeyDecoder()
            let bytes = (0..<40).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            for byte in bytes { _ = decoder.take(byte) }
            let cancels = decoder.take(0x03) == .cancel
            decoder.pause()
            return cancels && decoder.take(UInt8(ascii: "4")) == .digit(.four) ? nil : bytes
        }
        #expect(deaf.isEmpty)
    }
}
