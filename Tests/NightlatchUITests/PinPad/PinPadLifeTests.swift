import Nightlatch
import NightlatchTesting
import NightlatchUI
import Testing

@Suite("Random events of the pad")
struct PinPadLifeTests {
    /// A possible next event.
    private static func randomEvent(using generator: inout SeededGenerator) throws -> PinPadEvent {
        let keys: [PinPadKey] =
            PinDigit.allCases.map(PinPadKey.digit) + [.delete, .submit, .biometrics, .cancel, .forgotten, .giveUp]
        let order = PinPadOrder.shuffled(using: &generator)
        switch Int.random(in: 0..<40, using: &generator) {
        case 0:
            return .ask(
                try TestChallenge.enter(
                    length: [nil, 4, 6, 12].randomElement(using: &generator) ?? nil,
                    failures: Int.random(in: 0..<10, using: &generator),
                    lastTry: [nil, .wrong(triesLeft: 3, wait: nil), .waiting(.seconds(5), triesLeft: 3)]
                        .randomElement(using: &generator) ?? nil,
                    wait: [nil, nil, .seconds(5)].randomElement(using: &generator) ?? nil,
                    offersBiometrics: Bool.random(using: &generator)), order)
        case 1:
            return .askNew(
                try TestChallenge.create(lengths: [6...6, 4...8].randomElement(using: &generator) ?? 6...6), order)
        case 2: return .pass(.seconds(Int.random(in: 0...6, using: &generator)))
        case 3: return .withdraw
        case 4:
            let ends: [PinPadEnd] = [.unlocked, .pinSet, .cancelled, .blocked(.recoveryPhrase), .erased, .failed]
            return .end(ends.randomElement(using: &generator) ?? .failed)
        case 5:
            let last: PinPadDisplay.Message? = Bool.random(using: &generator) ? .wrong(triesLeft: 2) : nil
            return .collect(reason: "Sign in", after: last, order)
        case 6: return .collectNew(.default, order)
        case 7: return .clear
        case 8: return .typeAhead(keys.randomElement(using: &generator) ?? .cancel)
        default: return .press(keys.randomElement(using: &generator) ?? .cancel)
        }
    }

    @Test(
        "Each challenge is answered at most once, unlocked is shown only after its event, and hidden keys do nothing",
        arguments: 1...40)
    func life(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var pad = PinPad()
        var open = (entering: 0, creating: 0)
        for _ in 0..<2000 {
            let event = try Self.randomEvent(using: &generator)
            let before = pad.display
            var hadEnd = false
            // The next challenge also answers the previous one.
            let effects = pad.handle(event)
            switch event {
            case .end: hadEnd = true
            case .press(let key) where !before.keys.contains(key):
                #expect(effects.isEmpty && pad.display == before)
            case .typeAhead: #expect(effects.isEmpty && pad.display == before)
            default: break
            }
            for effect in effects {
                switch effect {
                case .answer: open.entering -= 1
                case .answerNew: open.creating -= 1
                case .feel: break
                }
            }
            switch event {
            case .ask, .collect: open.entering += 1
            case .askNew, .collectNew: open.creating += 1
            default: break
            }
            #expect(open.entering >= 0 && open.creating >= 0 && open.entering + open.creating <= 1)
            let display = pad.display
            if case .ended = display.title, case .ended = before.title {
            } else if case .ended = display.title {
                #expect(hadEnd)
            }
            #expect(display.keys.isSubset(of: display.offeredKeys.union(PinDigit.allCases.map(PinPadKey.digit))))
            #expect(display.typedCount <= display.digitCount ?? 12)
            #expect(display.isBusy == (display.keys.isEmpty && display.offeredKeys.isEmpty && !display.isAtRest))
            if display.countdown != nil {
                #expect(display.keys.isDisjoint(with: PinDigit.allCases.map(PinPadKey.digit)))
            }
        }
    }

    @Test("Drawing, speech and touch do not depend on which digits are typed", arguments: 1...10)
    func twins(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var one = PinPad()
        var other = PinPad()
        var counts = (0, 0)
        let start = PinPadMoment(display: PinPadDisplay(), feedback: nil)
        var moments = (start, start)
        // The twin gets other digits. Equal digits stay equal.
        let others = PinDigit.allCases.shuffled(using: &generator)
        var typedCount = 0
        for _ in 0..<2000 {
            let event = try Self.randomEvent(using: &generator)
            var twin = event
            if case .press(.digit(let digit)) = event { twin = .press(.digit(others[Int(digit.rawValue)])) }
            if case .typeAhead(.digit(let digit)) = event { twin = .typeAhead(.digit(others[Int(digit.rawValue)])) }
            let effects = (one.handle(event), other.handle(twin))
            let before = moments
            moments.0 = Self.moment(after: effects.0, one.display, before.0, &counts.0)
            moments.1 = Self.moment(after: effects.1, other.display, before.1, &counts.1)
            // A new PIN can be refused for its digits, and only its own user sees that. Then both pads start over.
            if [moments.0, moments.1].contains(where: \.isAboutChosenDigits) {
                _ = (one.handle(.withdraw), other.handle(.withdraw))
                (moments, counts) = ((start, start), (0, 0))
                continue
            }
            typedCount += moments.0.display.typedCount
            #expect(effects.0.words == effects.1.words && moments.0 == moments.1)
            for strings in PinPadStrings.all {
                #expect(PinPadScreen(moments.0.display, in: strings) == PinPadScreen(moments.1.display, in: strings))
                let said = PinPadAnnouncement(from: before.0, to: moments.0, in: strings)
                #expect(said == PinPadAnnouncement(from: before.1, to: moments.1, in: strings))
            }
        }
        #expect(typedCount > 100)
    }

    private static func moment(
        after effects: [PinPadEffect],
        _ display: PinPadDisplay,
        _ before: PinPadMoment,
        _ count: inout Int
    ) -> PinPadMoment {
        var feedback = before.feedback
        for case .feel(let kind) in effects {
            count += 1
            feedback = PinPadModel.Feedback(kind: kind, number: count)
        }
        return PinPadMoment(display: display, feedback: feedback)
    }

    @Test("Two pads with different typed digits look the same")
    func noDigits() throws {
        var one = PinPad()
        var other = PinPad()
        let challenge = try TestChallenge.enter()
        _ = one.handle(.ask(challenge, .telephone))
        _ = other.handle(.ask(challenge, .telephone))
        for (digit, otherDigit) in zip("29503", "74190") {
            #expect(try one.type(String(digit)).words == other.type(String(otherDigit)).words)
            #expect(one.display == other.display)
        }
    }
}

extension PinPadMoment {
    fileprivate var isAboutChosenDigits: Bool {
        if case .refused = display.message { true } else { false }
    }
}

extension PinPadDisplay {
    fileprivate var isAtRest: Bool {
        switch title {
        case .idle, .ended: true
        default: false
        }
    }
}
