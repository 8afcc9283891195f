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

    @Test("Says the same whatever was typed and however much of it")
    func typed() throws {
        var pad = try PinPad.entering()
        let before = pad.display
        for digit in ["2", "9", "5"] {
            pad.type(digit)
            #expect(PadSpeech.isSame(before, as: pad.display) && PadSpeech(before) == PadSpeech(pad.display))
        }
    }

    @Test("Says the time that is left once, and that it has passed")
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
