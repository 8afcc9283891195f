import Nightlatch
import NightlatchUI
import Testing

@Suite("The pad for an existing PIN")
struct PinPadEnteringTests {
    private let digits = Set(PinDigit.allCases.map(PinPadKey.digit))

    private func pad(_ challenge: PinChallenge) -> PinPad {
        var pad = PinPad()
        _ = pad.handle(.ask(challenge, .telephone))
        return pad
    }

    @Test("Circles fill, and a complete PIN is answered automatically", arguments: [4, 6, 12])
    func complete(length: Int) throws {
        var pad = pad(try TestChallenge.enter(length: length))
        let typed = String("295038295038".prefix(length))
        for count in 1..<length {
            let effects = try pad.type(String(typed.dropFirst(count - 1).prefix(1)))
            #expect(effects.words == ["feel key"])
            #expect(pad.display.typedCount == count && pad.display.digitCount == length)
        }
        let effects = try pad.type(String(typed.suffix(1)))
        #expect(effects.telling == ["answer pin"])
        #expect(try effects.holdPin(typed))
        #expect(pad.display.isBusy && pad.display.typedCount == length && pad.display.keys.isEmpty)
    }

    @Test("A PIN of unknown length has its own key to answer it, from four digits to twelve")
    func unknownLength() throws {
        var pad = pad(try TestChallenge.enter(length: nil))
        #expect(try pad.type("295").words.allSatisfy { $0 == "feel key" })
        #expect(pad.display.offeredKeys.contains(.submit) && !pad.display.keys.contains(.submit))
        #expect(pad.handle(.press(.submit)).isEmpty)
        #expect(try pad.type("038295038").telling.isEmpty)
        #expect(pad.display.typedCount == 12 && pad.display.keys.isDisjoint(with: digits))
        #expect(try pad.type("1").isEmpty)
        #expect(try pad.handle(.press(.submit)).holdPin("295038295038"))
    }

    @Test("Delete removes the last digit, and does nothing before the first")
    func delete() throws {
        var pad = pad(try TestChallenge.enter())
        #expect(!pad.display.keys.contains(.delete) && pad.handle(.press(.delete)).isEmpty)
        _ = try pad.type("29501")
        _ = pad.handle(.press(.delete))
        _ = pad.handle(.press(.delete))
        #expect(pad.display.typedCount == 3)
        #expect(try pad.type("038").holdPin("295038"))
    }

    @Test("A wrong PIN is felt and shown with the attempts left, and the digits are cleared")
    func wrong() throws {
        var pad = pad(try TestChallenge.enter())
        #expect(pad.display.message == nil && pad.display.triesLeft == nil)
        _ = try pad.type("295038")
        let again = try TestChallenge.enter(failures: 3, lastTry: .wrong(triesLeft: 7, wait: nil))
        #expect(pad.handle(.ask(again, .telephone)).words == ["feel wrong"])
        #expect(pad.display.message == .wrong(triesLeft: 7) && pad.display.triesLeft == 7)
        #expect(pad.display.typedCount == 0 && !pad.display.isBusy)
    }

    @Test("The last attempt has its effect, also during a wait, and an earlier one has none")
    func lastAttempt() throws {
        for end in LockoutEnd.allCases {
            let last = pad(try TestChallenge.enter(failures: 9, wait: .seconds(30), end: end))
            #expect(last.display.lastAttempt == end && last.display.triesLeft == 1)
            #expect(pad(try TestChallenge.enter(failures: 8, end: end)).display.lastAttempt == nil)
        }
        let unknown = pad(try TestChallenge.enter(failures: 9))
        #expect(unknown.display.lastAttempt == nil && unknown.display.triesLeft == 1)
    }

    @Test("During a wait there is a countdown, and no digit is accepted")
    func countdown() throws {
        var pad = pad(try TestChallenge.enter(failures: 3, wait: .seconds(30)))
        #expect(pad.display.countdown == .seconds(30) && pad.display.keys.isDisjoint(with: digits))
        #expect(pad.display.keys.isSuperset(of: [.cancel, .forgotten]))
        #expect(try pad.type("295038").isEmpty)
        _ = pad.handle(.pass(.seconds(29)))
        #expect(pad.display.countdown == .seconds(1))
        _ = pad.handle(.pass(.seconds(1)))
        #expect(pad.display.countdown == nil)
        #expect(try pad.type("295038").telling == ["answer pin"])
    }

    @Test("A forgotten PIN is given up after a question, and typing continues after a cancel")
    func forgotten() throws {
        var pad = pad(try TestChallenge.enter(failures: 2, lastTry: .wrong(triesLeft: 8, wait: nil)))
        _ = try pad.type("29")
        #expect(pad.handle(.press(.forgotten)).telling.isEmpty)
        #expect(pad.display.title == .reallyForgotten && pad.display.keys == [.cancel, .giveUp])
        #expect(pad.display.message == nil && pad.display.triesLeft == nil)
        #expect(try pad.type("5").isEmpty)
        #expect(pad.handle(.press(.cancel)).telling.isEmpty)
        #expect(pad.display.typedCount == 0)
        #expect(try pad.type("295038").telling == ["answer pin"])

        _ = pad.handle(.ask(try TestChallenge.enter(), .telephone))
        #expect(pad.handle(.press(.giveUp)).isEmpty)
        _ = pad.handle(.press(.forgotten))
        #expect(pad.handle(.press(.giveUp)).words == ["answer forgotten"])
        #expect(pad.display.isBusy)
    }

    @Test("A countdown continues while the pad asks whether the PIN is forgotten")
    func countdownWhileAsked() throws {
        var pad = pad(try TestChallenge.enter(failures: 3, wait: .seconds(30)))
        _ = pad.handle(.press(.forgotten))
        _ = pad.handle(.pass(.seconds(20)))
        _ = pad.handle(.press(.cancel))
        #expect(pad.display.countdown == .seconds(10))
    }

    @Test("Biometrics can be chosen if and only if they are offered", arguments: [true, false])
    func biometrics(isOffered: Bool) throws {
        var pad = pad(try TestChallenge.enter(offersBiometrics: isOffered))
        #expect(pad.display.offeredKeys.contains(.biometrics) == isOffered)
        #expect(pad.handle(.press(.biometrics)).words == (isOffered ? ["answer biometrics"] : []))
    }

    @Test(
        "A biometric error is shown, unless the user caused it",
        arguments: [
            (BiometricError.enrolmentChanged, true), (.notRecognised, true), (.interrupted, true), (.cancelled, false),
            (.pinChosen, false),
        ])
    func biometricFailure(failure: BiometricError, isTold: Bool) throws {
        let pad = pad(try TestChallenge.enter(biometricFailure: failure))
        #expect(pad.display.message == (isTold ? .biometrics(failure) : nil))
    }

    @Test("Cancelling is answered as such, and the pad becomes idle")
    func cancel() throws {
        var pad = pad(try TestChallenge.enter())
        _ = try pad.type("295")
        #expect(pad.handle(.press(.cancel)).words == ["answer cancelled"])
        #expect(pad.display == PinPadDisplay())
        #expect(pad.handle(.withdraw).isEmpty)
    }

    @Test("A second challenge cancels an unanswered first one")
    func askedTwice() throws {
        var pad = pad(try TestChallenge.enter())
        #expect(pad.handle(.ask(try TestChallenge.enter(), .telephone)).words == ["answer cancelled"])
        #expect(pad.handle(.askNew(try TestChallenge.create(), .telephone)).words == ["answer cancelled"])
        #expect(pad.handle(.withdraw).words == ["answer new cancelled"])
    }

    @Test(
        "An end is shown, and then no key can be pressed",
        arguments: [
            (PinPadEnd.unlocked, ["feel success"]), (.pinSet, ["feel success"]), (.cancelled, []),
            (.blocked(.newCredentials), ["feel wrong"]), (.blocked(.recoveryPhrase), ["feel wrong"]),
            (.erased, ["feel wrong"]), (.missing, ["feel wrong"]), (.failed, ["feel wrong"]),
        ])
    func ends(end: PinPadEnd, effects: [String]) throws {
        var pad = pad(try TestChallenge.enter())
        _ = try pad.type("295038")
        #expect(pad.handle(.end(end)).words == effects)
        #expect(pad.display.title == .ended(end) && pad.display.keys.isEmpty && !pad.display.isBusy)
        #expect(try pad.type("1").isEmpty)
    }

    @Test("A collected PIN that was wrong is shown like any other, with the attempts left")
    func collectedAgain() throws {
        var pad = PinPad()
        #expect(pad.handle(.collect(reason: "Sign in", after: nil, .telephone)).isEmpty)
        #expect(pad.display.message == nil && pad.display.triesLeft == nil)
        let again = PinPadEvent.collect(reason: "Sign in", after: .wrong(triesLeft: 4), .telephone)
        #expect(pad.handle(again).words == ["answer cancelled", "feel wrong"])
        #expect(pad.display.message == .wrong(triesLeft: 4) && pad.display.triesLeft == 4)
        #expect(try pad.type("295038").telling.isEmpty)
        #expect(pad.display.message == .wrong(triesLeft: 4))
    }

    @Test("A key that the pad does not have is left to others, whether it is enabled or not")
    func ownKeys() throws {
        var pad = PinPad()
        let all =
            PinDigit.allCases.map(PinPadKey.digit) + [.delete, .submit, .biometrics, .cancel, .forgotten, .giveUp]
        #expect(!all.contains(where: pad.display.hasKey))
        _ = pad.handle(.ask(try TestChallenge.enter(wait: .seconds(30)), .telephone))
        #expect(all.filter { !pad.display.hasKey($0) } == [.submit, .biometrics, .giveUp])
        _ = pad.handle(.end(.blocked(.newCredentials)))
        #expect(!all.contains(where: pad.display.hasKey))
    }

    @Test("The digits have the given order, each of them once")
    func order() throws {
        var generator = SystemRandomNumberGenerator()
        var orders: Set<PinPadOrder> = []
        for _ in 0..<20 {
            let order = PinPadOrder.shuffled(using: &generator)
            #expect(Set(order.digits) == Set(PinDigit.allCases) && order.digits.count == 10)
            orders.insert(order)
        }
        #expect(orders.count > 15)
        var pad = PinPad()
        let order = try #require(orders.first)
        _ = pad.handle(.ask(try TestChallenge.enter(), order))
        #expect(pad.display.order == order)
        #expect(PinPadOrder.telephone.digits.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
    }
}
