import Nightlatch
import NightlatchCommand
import NightlatchUI
import Testing

@Suite("A pad that speaks in lines")
struct PadSpeechTests {
    @Test("asks in words, and says what is wrong and how long to wait")
    func words() throws {
        let asked = PadSpeech(try PinPad.entering(failureCount: 1, lastTry: .wrong(triesLeft: 9, wait: nil)).display)
        #expect(
            asked.sentences == [
                "Wrong PIN. 9 tries left.", "Enter your PIN to unlock the vault.",
                "Type digits, then Return; nothing is shown of them. Control-C cancels.",
            ])
        #expect(asked.question == "PIN: ")
        let locked = PadSpeech(try PinPad.entering(failureCount: 3, wait: .seconds(30)).display)
        #expect(
            locked.sentences == [
                "7 tries left.", "Locked. Try again in 0:30.", "You are asked again then. Control-C cancels.",
            ])
        #expect(locked.question == nil)
    }

    @Test("UI1: says the same whatever was typed and however much of it")
    func typed() throws {
        var pad = try PinPad.entering()
        let before = pad.display
        for digit in ["2", "9", "5"] {
            pad.type(digit)
            #expect(PadSpeech.isSame(before, as: pad.display) && PadSpeech(before) == PadSpeech(pad.display))
        }
    }

    @Test("UI6: says the time that is left once, and that it has passed")
    func passing() throws {
        var pad = try PinPad.entering(failureCount: 3, wait: .seconds(2))
        let locked = pad.display
        _ = pad.handle(.pass(.seconds(1)))
        #expect(PadSpeech.isSame(locked, as: pad.display))
        _ = pad.handle(.pass(.seconds(1)))
        #expect(!PadSpeech.isSame(locked, as: pad.display) && PadSpeech(pad.display).question == "PIN: ")
    }

    @Test("says nothing while it works")
    func busy() throws {
        var pad = try PinPad.entering(pinLength: 6)
        pad.type("295038")
        #expect(
            pad.display.isBusy && PadSpeech(pad.display).sentences.isEmpty && PadSpeech(pad.display).question == nil)
    }

    @Test("says what is confirmed a line each, without what could move the cursor or turn the direction of reading")
    func reason() throws {
        let pad = try PinPad.entering(reason: "to confirm this:\nTo: Night\u{1B}[2JTrain\u{202E}\u{9B}Ltd")
        #expect(PadSpeech(pad.display).sentences[0] == "Enter your PIN\nto confirm this:\nTo: Night?[2JTrain??Ltd.")
    }
}

@Suite("What a terminal can show")
struct TerminalCapabilitiesTests {
    private func capabilities(
        _ environment: [String: String],
        messagesAreSeen: Bool = true,
        isPlain: Bool = false
    ) -> TerminalCapabilities {
        TerminalCapabilities(environment: environment, messagesAreSeen: messagesAreSeen, isPlain: isPlain)
    }

    @Test("is a picture unless the terminal is dumb or nobody sees standard error, or the person wants lines")
    func pictures() {
        #expect(capabilities(["TERM": "xterm"]).drawsPictures)
        #expect(!capabilities(["TERM": "xterm"], isPlain: true).drawsPictures)
        #expect(!capabilities(["TERM": "xterm"], messagesAreSeen: false).drawsPictures)
        for terminal in [["TERM": "dumb"], ["TERM": ""], ["TERM": "unknown"], [:]] {
            #expect(!capabilities(terminal).drawsPictures)
        }
    }

    @Test(
        "is Unicode where the locale says so; of its variables the first that says anything counts",
        arguments: [
            (["LANG": "de_DE.UTF-8"], true), (["LANG": "en_GB.utf8"], true),
            (["LC_ALL": "C", "LANG": "C.UTF-8"], false),
            (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], true), (["LANG": "de_DE.ISO-8859-1"], false),
            ([:], false),
            (["LANG": "sr_RS.UTF-8@latin", "TERM": "xterm"], true), (["LANG": "C.UTF-8", "TERM": "linux"], false),
        ])
    func unicode(environment: [String: String], expected: Bool) {
        #expect(capabilities(environment).hasUnicode == expected)
    }

    @Test("is coloured unless NO_COLOR says anything")
    func colour() {
        #expect(capabilities([:]).hasColor && capabilities(["NO_COLOR": ""]).hasColor)
        #expect(!capabilities(["NO_COLOR": "1"]).hasColor)
    }
}

@Suite("Text at a terminal")
struct TerminalTextTests {
    @Test(
        "is broken between words, and within those that are too long, by columns",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("abcdefgh", 3, ["abc", "def", "gh"]), ("a  b", 5, ["a b"]),
            ("夜行列車", 5, ["夜行", "列車"]), ("", 5, []), ("ab cdefg", 4, ["ab", "cdef", "g"]),
        ])
    func wrapping(text: String, columns: Int, expected: [String]) {
        #expect(TerminalText(text).wrapped(to: columns) == expected)
    }

    @Test(
        "has nothing that a terminal would obey",
        arguments: ["\u{1B}", "\u{9B}", "\r", "\u{202E}", "\u{2066}", "\u{0}", "\u{2028}"])
    func harmless(character: String) {
        #expect(TerminalText("a\(character)b").characters == "a?b")
    }
}
