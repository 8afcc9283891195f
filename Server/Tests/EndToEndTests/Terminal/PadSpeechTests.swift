import Nightlatch
import NightlatchCommand
import NightlatchUI
import Testing

@Suite("A pad in plain lines")
struct PadSpeechTests {
    @Test("The lines ask for the PIN, explain an error and give the time to wait")
    func words() throws {
        let asked = PadSpeech(try PinPad.entering(failureCount: 1, lastTry: .wrong(triesLeft: 9, wait: nil)).display)
        #expect(
            asked.sentences == [
                "Wrong PIN. 9 attempts left.", "Enter your PIN to unlock the vault.",
                "Type digits, then Return; they are not shown. Control-C cancels.",
            ])
        #expect(asked.question == "PIN: ")
        let locked = PadSpeech(try PinPad.entering(failureCount: 3, wait: .seconds(30)).display)
        #expect(
            locked.sentences == [
                "7 attempts left.", "Locked. Try again in 0:30.", "The command asks again then. Control-C cancels.",
            ])
        #expect(locked.question == nil)
    }

    @Test(
        "Before the last attempt, the lines say what another wrong PIN does",
        arguments: [
            (LockoutEnd.newCredentials, "Another wrong PIN blocks this PIN. You must then sign in again."),
            (.wipe, "Another wrong PIN erases everything here."),
            (.recoveryPhrase, "After another wrong PIN, only your recovery phrase unlocks this."),
        ])
    func lastAttempt(end: LockoutEnd, effect: String) throws {
        let wrong = try PinPad.entering(failureCount: 9, lastTry: .wrong(triesLeft: 1, wait: nil), end: end)
        let line = try #require(PadSpeech(wrong.display).sentences.first)
        #expect(line == "Wrong PIN. Last attempt. " + effect, "\(line)")
        let first = try PinPad.entering(failureCount: 9, end: end)
        #expect(PadSpeech(first.display).sentences.first == "Last attempt. " + effect)
        let unknown = try PinPad.entering(failureCount: 9)
        #expect(PadSpeech(unknown.display).sentences.first == "1 attempt left.")
        #expect(!PadSpeech.isSame(first.display, as: unknown.display))
    }

    @Test("The lines do not depend on the typed digits or their number")
    func typed() throws {
        var pad = try PinPad.entering()
        let before = pad.display
        for digit in ["2", "9", "5"] {
            pad.type(digit)
            #expect(PadSpeech.isSame(before, as: pad.display) && PadSpeech(before) == PadSpeech(pad.display))
        }
    }

    @Test("The remaining time is printed once, and its end once")
    func passing() throws {
        var pad = try PinPad.entering(failureCount: 3, wait: .seconds(2))
        let locked = pad.display
        _ = pad.handle(.pass(.seconds(1)))
        #expect(PadSpeech.isSame(locked, as: pad.display))
        _ = pad.handle(.pass(.seconds(1)))
        #expect(!PadSpeech.isSame(locked, as: pad.display) && PadSpeech(pad.display).question == "PIN: ")
    }

    @Test("Nothing is printed while the pad is busy")
    func busy() throws {
        var pad = try PinPad.entering(pinLength: 6)
        pad.type("295038")
        #expect(
            pad.display.isBusy && PadSpeech(pad.display).sentences.isEmpty && PadSpeech(pad.display).question == nil)
    }

    @Test("Each line of the reason is printed without characters that move the cursor or change the text direction")
    func reason() throws {
        let pad = try PinPad.entering(reason: "to confirm this:\nTo: Night\u{1B}[2JTrain\u{202E}\u{9B}Ltd")
        #expect(PadSpeech(pad.display).sentences[0] == "Enter your PIN\nto confirm this:\nTo: Night?[2JTrain??Ltd.")
    }
}
