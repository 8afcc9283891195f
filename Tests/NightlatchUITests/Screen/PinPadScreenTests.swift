import Nightlatch
import NightlatchTesting
import NightlatchUI
import Testing

@Suite("Screen content of a pad")
struct PinPadScreenTests {
    private func screen(_ pad: borrowing PinPad) -> PinPadScreen { PinPadScreen(pad.display, in: .english) }

    private func pad(_ challenge: PinChallenge, _ order: PinPadOrder = .telephone) -> PinPad {
        var pad = PinPad()
        _ = pad.handle(.ask(challenge, order))
        return pad
    }

    private func faces(_ screen: PinPadScreen) -> [[String]] {
        screen.grid.map { row in
            row.places.map { place in
                switch place.key?.face {
                case .text(let text)?: text
                case .delete?: "delete"
                case .biometrics?: "biometrics"
                case nil: ""
                }
            }
        }
    }

    @Test(
        "The keys have the order of a telephone, with biometrics and delete beside the last digit",
        arguments: [true, false])
    func grid(offersBiometrics: Bool) throws {
        let screen = screen(pad(try TestChallenge.enter(offersBiometrics: offersBiometrics)))
        #expect(
            faces(screen) == [
                ["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"],
                [offersBiometrics ? "biometrics" : "", "0", "delete"],
            ])
        #expect(screen.choices.map(\.key) == [.forgotten, .cancel])
        #expect(screen.title == "Enter your PIN" && screen.detail == "Show the balance")
    }

    @Test("Shuffled digits have their order, and the keys beside them stay")
    func shuffled() throws {
        var generator = SeededGenerator(seed: 4)
        let order = PinPadOrder.shuffled(using: &generator)
        let faces = faces(screen(pad(try TestChallenge.enter(), order))).flatMap(\.self)
        #expect(faces.filter { Int($0) != nil } == order.digits.map { String($0.rawValue) })
        #expect(faces[9] == "" && faces[11] == "delete")
    }

    @Test("The circles are spoken as the number of typed digits, and the total if it is known")
    func circles() throws {
        var known = pad(try TestChallenge.enter(length: 6))
        _ = try known.type("29")
        let circles = try #require(screen(known).circles)
        #expect(circles.filledCount == 2 && circles.count == 6)
        #expect(circles.label == "PIN" && circles.value == "2 of 6 entered")
        var unknown = pad(try TestChallenge.enter(length: nil))
        _ = try unknown.type("295")
        #expect(screen(unknown).circles?.value == "3 digits entered")
        // One circle is empty while more digits are allowed.
        #expect(screen(unknown).circles?.count == 4)
        _ = try unknown.type("038295038")
        #expect(screen(unknown).circles?.count == 12)
        let empty = pad(try TestChallenge.enter(length: nil, wait: .seconds(30)))
        #expect(screen(empty).circles?.count == 1 && screen(empty).circles?.filledCount == 0)
    }

    @Test("Shown and spoken texts do not depend on which digits are typed")
    func noDigits() throws {
        var one = pad(try TestChallenge.enter())
        let challenge = try TestChallenge.enter()
        var other = pad(challenge)
        for (digit, otherDigit) in zip("29503", "74190") {
            _ = try one.type(String(digit))
            _ = try other.type(String(otherDigit))
            #expect(screen(one) == screen(other))
        }
    }

    @Test("During a wait it is shown with the attempts left, and the digits cannot be pressed")
    func wait() throws {
        let screen = screen(
            pad(
                try TestChallenge.enter(
                    failures: 4, lastTry: .wrong(triesLeft: 6, wait: .seconds(30)), wait: .seconds(30))))
        #expect(screen.message == "Wrong PIN." && screen.triesLeft == "6 attempts left.")
        #expect(screen.countdown == "Try again in 30 seconds.")
        #expect(screen.grid.flatMap(\.places).compactMap(\.key).allSatisfy { !$0.isEnabled })
    }

    @Test("Before the last attempt, its effect replaces the number of attempts")
    func lastAttempt() throws {
        let texts: [LockoutEnd: String] = [
            .newCredentials: "Last attempt. Another wrong PIN blocks this PIN. You must then sign in again.",
            .recoveryPhrase: "Last attempt. After another wrong PIN, only your recovery phrase unlocks this.",
            .wipe: "Last attempt. Another wrong PIN erases everything here.",
        ]
        for (end, text) in texts {
            #expect(screen(pad(try TestChallenge.enter(failures: 9, end: end))).triesLeft == text)
        }
        #expect(screen(pad(try TestChallenge.enter(failures: 9))).triesLeft == "1 attempt left.")
    }

    @Test("The key that continues comes first, and the pad asks before a PIN is given up")
    func choices() throws {
        var pad = pad(try TestChallenge.enter(length: nil))
        #expect(screen(pad).choices.map(\.key) == [.submit, .forgotten, .cancel])
        #expect(screen(pad).choices.map(\.isEnabled) == [false, true, true])
        _ = pad.handle(.press(.forgotten))
        let asked = screen(pad)
        #expect(asked.choices.map(\.label) == ["Give up this PIN", "Cancel"])
        #expect(asked.grid.isEmpty && asked.circles == nil && asked.detail?.contains("cannot be undone") == true)
    }

    @Test("While an answer is pending the pad says so, and the digits stay in place")
    func busy() throws {
        var pad = pad(try TestChallenge.enter())
        let before = faces(screen(pad)).flatMap(\.self).filter { Int($0) != nil }
        _ = try pad.type("295038")
        let screen = screen(pad)
        #expect(screen.busy == "Checking" && screen.circles?.filledCount == 6 && screen.circles?.count == 6)
        #expect(faces(screen).flatMap(\.self).filter { Int($0) != nil } == before)
        // Digits that are typed now are kept for the next challenge.
        for key in screen.grid.flatMap(\.places).compactMap(\.key) {
            #expect(key.isEnabled == (Int(key.label) != nil))
        }
    }

    @Test(
        "A blocked pad says how to unblock the PIN",
        arguments: [
            (PinPadEnd.blocked(.newCredentials), "Sign in again"), (.blocked(.recoveryPhrase), "recovery phrase"),
        ])
    func unblocking(end: PinPadEnd, way: String) {
        var pad = PinPad()
        _ = pad.handle(.end(end))
        #expect(screen(pad).title == "This PIN is blocked" && screen(pad).detail?.contains(way) == true)
        #expect(screen(pad).grid.isEmpty && screen(pad).choices.isEmpty)
    }

    @Test("Each key has a unique number, so that none is drawn twice")
    func identity() throws {
        let screen = screen(pad(try TestChallenge.enter(length: nil, offersBiometrics: true)))
        #expect(Set(screen.grid.flatMap(\.places).map(\.id)) == Set(0..<12) && screen.grid.map(\.id) == Array(0..<4))
    }
}
