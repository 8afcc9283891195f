import Nightlatch
import NightlatchUI
import Testing

@Suite("Screen reader announcements of a pad")
struct PinPadAnnouncementTests {
    /// A pad and everything that a screen reader says about it.
    private struct Listener: ~Copyable {
        private var pad = PinPad()
        private var feedbackCount = 0
        private var moment = PinPadMoment(display: PinPadDisplay(), feedback: nil)
        private(set) var said: [String] = []
        private(set) var urgent: [String] = []

        mutating func handle(_ event: PinPadEvent) {
            var feedback = moment.feedback
            for case .feel(let kind) in pad.handle(event) {
                feedbackCount += 1
                feedback = PinPadModel.Feedback(kind: kind, number: feedbackCount)
            }
            let next = PinPadMoment(display: pad.display, feedback: feedback)
            if let announcement = PinPadAnnouncement(from: moment, to: next, in: .english) {
                said.append(announcement.text)
                if announcement.isUrgent { urgent.append(announcement.text) }
            }
            moment = next
        }

        mutating func type(_ digits: String) throws {
            for character in digits {
                handle(
                    .press(.digit(try #require(character.wholeNumberValue.flatMap { PinDigit(rawValue: UInt8($0)) }))))
            }
        }

        mutating func forget() {
            said = []
            urgent = []
        }
    }

    @Test("Each digit is spoken as a count, never as a digit, and a wrong PIN with the attempts left")
    func wrong() throws {
        var listener = Listener()
        listener.handle(.ask(try TestChallenge.enter(length: 4), .telephone))
        #expect(listener.said == ["Enter your PIN."])
        listener.forget()
        try listener.type("2950")
        #expect(listener.said == ["1 of 4 entered", "2 of 4 entered", "3 of 4 entered"] && listener.urgent.isEmpty)
        listener.forget()
        listener.handle(
            .ask(try TestChallenge.enter(length: 4, failures: 1, lastTry: .wrong(triesLeft: 9, wait: nil)), .telephone))
        #expect(listener.said == ["Wrong PIN. 9 attempts left."] && listener.urgent == listener.said)
        listener.forget()
        try listener.type("1")
        listener.handle(.press(.delete))
        #expect(listener.said == ["1 of 4 entered", "0 of 4 entered"])
    }

    @Test("The same refusal twice is spoken twice")
    func refusedTwice() throws {
        var listener = Listener()
        listener.handle(.askNew(try TestChallenge.create(lengths: 4...4), .telephone))
        listener.forget()
        try listener.type("1234")
        try listener.type("1234")
        #expect(listener.urgent == Array(repeating: "Its digits follow each other.", count: 2))
        listener.forget()
        try listener.type("2950")
        #expect(listener.said.last == "Enter the new PIN again.")
    }

    @Test("A wait is spoken at its start, each minute, 30 and 10 seconds before its end and at its end")
    func countdown() throws {
        var listener = Listener()
        listener.handle(.ask(try TestChallenge.enter(failures: 5, wait: .seconds(150)), .telephone))
        #expect(listener.said == ["Enter your PIN. 5 attempts left. Try again in 2 minutes 30 seconds."])
        listener.forget()
        for _ in 0..<150 { listener.handle(.pass(.seconds(1))) }
        #expect(
            listener.said == [
                "Try again in 2 minutes.", "Try again in 1 minute.", "Try again in 30 seconds.",
                "Try again in 10 seconds.",
                "You can enter your PIN now.",
            ])
        #expect(listener.urgent == ["You can enter your PIN now."])
    }

    @Test("A long wait is spoken each five minutes, and in its last ten minutes each minute")
    func longCountdown() throws {
        var listener = Listener()
        listener.handle(.ask(try TestChallenge.enter(failures: 5, wait: .seconds(31 * 60)), .telephone))
        listener.forget()
        for _ in 0..<(31 * 60) { listener.handle(.pass(.seconds(1))) }
        let minutes = [30, 25, 20, 15, 10, 9, 8, 7, 6, 5, 4, 3, 2]
        #expect(
            listener.said == minutes.map { "Try again in \($0) minutes." } + [
                "Try again in 1 minute.", "Try again in 30 seconds.", "Try again in 10 seconds.",
                "You can enter your PIN now.",
            ])
    }

    @Test("If the app was not running for a while, the rest of a wait is spoken once")
    func suspended() throws {
        var listener = Listener()
        listener.handle(.ask(try TestChallenge.enter(failures: 5, wait: .seconds(150)), .telephone))
        listener.forget()
        listener.handle(.pass(.milliseconds(127_500)))
        #expect(listener.said == ["Try again in 23 seconds."])
    }

    @Test("The effect of the last attempt is spoken with the wrong PIN before it")
    func lastAttempt() throws {
        var listener = Listener()
        listener.handle(.ask(try TestChallenge.enter(failures: 8), .telephone))
        listener.forget()
        listener.handle(
            .ask(
                try TestChallenge.enter(failures: 9, lastTry: .wrong(triesLeft: 1, wait: nil), end: .wipe), .telephone))
        #expect(listener.urgent == ["Wrong PIN. Last attempt. Another wrong PIN erases everything here."])
    }

    @Test("A view that appears during a wait or before the last attempt speaks it")
    func appearingLater() throws {
        let challenges: [(PinChallenge, String)] = [
            (try TestChallenge.enter(failures: 3, wait: .seconds(30)), "Try again in 30 seconds."),
            (try TestChallenge.enter(failures: 9, end: .wipe), "Last attempt."),
        ]
        for (challenge, text) in challenges {
            var pad = PinPad()
            _ = pad.handle(.ask(challenge, .telephone))
            let moment = PinPadMoment(display: pad.display, feedback: nil)
            let before = try #require(moment.beforeMessage)
            #expect(PinPadAnnouncement(from: before, to: moment, in: .english)?.text.contains(text) == true)
        }
        var pad = PinPad()
        _ = pad.handle(.ask(try TestChallenge.enter(), .telephone))
        #expect(PinPadMoment(display: pad.display, feedback: nil).beforeMessage == nil)
    }

    @Test("A view that appears with a wrong PIN speaks it and lets the user feel it; any other view says nothing")
    func appearing() throws {
        var pad = PinPad()
        _ = pad.handle(.collect(reason: "Sign in", after: nil, .telephone))
        #expect(PinPadMoment(display: pad.display, feedback: nil).beforeMessage == nil)
        _ = pad.handle(.collect(reason: "Sign in", after: .wrong(triesLeft: 4), .telephone))
        let moment = PinPadMoment(display: pad.display, feedback: PinPadModel.Feedback(kind: .wrong, number: 1))
        let before = try #require(moment.beforeMessage)
        let said = PinPadAnnouncement(from: before, to: moment, in: .english)
        #expect(said?.isUrgent == true && said?.text == "Enter your PIN. Wrong PIN. 4 attempts left.")
        #expect(before.feedback == nil)
    }

    @Test("An end is spoken with the next step")
    func end() {
        var listener = Listener()
        listener.handle(.end(.blocked(.recoveryPhrase)))
        #expect(listener.urgent == ["This PIN is blocked. Use your recovery phrase to set a new one."])
        listener.forget()
        listener.handle(.pass(.seconds(1)))
        #expect(listener.said.isEmpty)
    }
}
