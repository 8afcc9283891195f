import Nightlatch
import NightlatchTesting
import NightlatchUI
import NightlatchWire
import Testing

@Suite("Fast typing on a pad")
struct TypingAheadTests {
    /// A pad on which the user has typed a PIN, which is being tested.
    private func busyPad(length: Int? = 6) throws -> PinPad {
        var pad = PinPad()
        _ = pad.handle(.ask(try TestChallenge.enter(length: length), .telephone))
        _ = try pad.type("860527")
        if length == nil { _ = pad.handle(.press(.submit)) }
        return pad
    }

    private func askAgain(_ pad: inout PinPad, length: Int? = 6, wait: Duration? = nil) throws -> [PinPadEffect] {
        let wrong = PinRefusal.wrong(triesLeft: 9, wait: wait)
        return pad.handle(
            .ask(try TestChallenge.enter(length: length, failures: 1, lastTry: wrong, wait: wait), .telephone))
    }

    @Test("The last circle fills, and stays filled while the PIN is tested", arguments: [6, nil])
    func lastCircle(length: Int?) throws {
        let pad = try busyPad(length: length)
        let display = pad.display
        #expect(display.isBusy && display.typedCount == 6 && display.circleCount == 6 && display.keys.isEmpty)
        let circles = try #require(PinPadScreen(display, in: .english).circles)
        #expect(circles.filledCount == 6 && circles.count == 6)
    }

    @Test("Two digits during the test of a PIN and four after it are the six of the next PIN", arguments: 0...5)
    func acrossTheQuestion(early: Int) throws {
        var pad = try busyPad()
        #expect(try pad.type(String("295038".prefix(early))).isEmpty && pad.display.typedCount == 6)
        #expect(try askAgain(&pad).words == ["feel wrong"])
        #expect(pad.display.typedCount == early)
        #expect(try pad.type(String("295038".dropFirst(early))).holdPin("295038"))
    }

    @Test("A PIN that was completely typed ahead is shown, and tested when the user submits it")
    func complete() throws {
        var pad = try busyPad()
        _ = try pad.type("295038")
        #expect(try askAgain(&pad).words == ["feel wrong"])
        #expect(pad.display.typedCount == 6 && !pad.display.isBusy && pad.display.circleCount == 6)
        #expect(pad.display.keys.isSuperset(of: [.submit, .delete]) && pad.display.offeredKeys.contains(.submit))
        #expect(PinPadScreen(pad.display, in: .english).choices.contains { $0.key == .submit && $0.isEnabled })
        var other = try busyPad()
        _ = try other.type("295038")
        _ = try askAgain(&other)
        #expect(try pad.handle(.press(.submit)).holdPin("295038"))
        // The user can also delete a digit, and then the last digit submits the PIN as always.
        _ = other.handle(.press(.delete))
        #expect(!other.display.offeredKeys.contains(.submit))
        #expect(try other.type("7").holdPin("295037"))
    }

    @Test("A submit key that was typed ahead tests nothing")
    func submitAhead() throws {
        var pad = try busyPad(length: nil)
        _ = try pad.type("295038")
        #expect(pad.handle(.press(.submit)).isEmpty)
        #expect(try askAgain(&pad, length: nil).words == ["feel wrong"])
        #expect(pad.display.typedCount == 6 && !pad.display.isBusy)
        #expect(try pad.handle(.press(.submit)).holdPin("295038"))
    }

    @Test("If more digits are typed ahead than the PIN has, all are dropped, so no part of them is tested")
    func tooMany() throws {
        var pad = try busyPad()
        _ = try pad.type("2950381")
        _ = try askAgain(&pad)
        #expect(pad.display.typedCount == 0 && !pad.display.keys.contains(.submit))
        pad = try busyPad(length: nil)
        _ = try pad.type("29503829503829503829503")
        _ = try askAgain(&pad, length: nil)
        #expect(pad.display.typedCount == 0)
    }

    @Test("Digits that were typed ahead are dropped by a wait, a clear, a withdrawal, an end and a new PIN")
    func goes() throws {
        var pad = try busyPad()
        _ = try pad.type("29")
        _ = try askAgain(&pad, wait: .seconds(30))
        #expect(pad.display.typedCount == 0)
        for event in [PinPadEvent.clear, .withdraw, .end(.failed), .askNew(try TestChallenge.create(), .telephone)] {
            pad = try busyPad()
            _ = try pad.type("29")
            _ = pad.handle(event)
            #expect(pad.display.typedCount == 0 || pad.display.isBusy)
            _ = try askAgain(&pad)
            #expect(pad.display.typedCount == 0)
        }
    }

    @Test("Keys before the first challenge are used for it, with deletions")
    func beforeTheFirst() throws {
        var pad = PinPad()
        for key in [PinPadKey.digit(.two), .digit(.nine), .digit(.nine), .delete, .submit, .forgotten, .giveUp] {
            #expect(pad.handle(.typeAhead(key)).isEmpty && pad.display == PinPadDisplay())
        }
        #expect(pad.handle(.ask(try TestChallenge.enter(), .telephone)).isEmpty)
        #expect(pad.display.typedCount == 2 && pad.display.title == .enterPin(.unlock(reason: "Show the balance")))
        #expect(try pad.type("5038").holdPin("295038"))
    }

    @Test("Fast typing on the screen loses no tap between two attempts, and the right PIN opens")
    @MainActor
    func atTheScreen() async throws {
        let phone = try await ScreenPhone()
        let lock = phone.lock()
        lock.appIs(.active)
        await lock.type("860527")
        for digit in [PinDigit.two, .nine] { lock.pad.press(.digit(digit)) }
        #expect(lock.pad.display.isBusy)
        await ScreenLock.wait { lock.pad.display.message == .wrong(triesLeft: 9) }
        #expect(lock.pad.display.typedCount == 2)
        for digit in [PinDigit.five, .zero, .three, .eight] { lock.pad.press(.digit(digit)) }
        await ScreenLock.wait { lock.isOpen }
    }
}
