import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Rounds of guesses at a two-party PIN")
struct GuessRoundsTests {
    @Test(
        "Rounds are read from the text that they are written as",
        arguments: ["10", "4,1m,4,5m,4,1h,4", "1,1s,1", "3,90s,3,2m,4,24h,90"])
    func text(text: String) throws {
        let rounds = try GuessRounds(text: text)
        #expect(rounds.description == text)
        #expect(rounds.limit.count == rounds.guesses.reduce(0, +) && rounds.waits.count == rounds.guesses.count - 1)
    }

    @Test("A wait may be written in any unit, and is written back in the largest one")
    func units() throws {
        let rounds = try GuessRounds(text: "1,60s,1,120m,1")
        #expect(rounds.waits == [.seconds(60), .seconds(7200)] && rounds.description == "1,1m,1,2h,1")
    }

    @Test(
        "Other texts are refused with the rule that they break",
        arguments: [
            ("", .guesses), ("x", .guesses), ("4,", .waits), ("4,1m", .rounds), ("4,1m,", .guesses),
            (",1m,4", .guesses),
            ("4,,4", .waits), ("4,1,4", .waits), ("4,m,4", .waits), ("4,1d,4", .waits), ("4,-1m,4", .waits),
            ("4, 1m,4", .waits), ("4,0s,4", .waits), ("4,25h,4", .waits), ("4,99999h,4", .waits), ("4,1.5m,4", .waits),
            ("0", .guesses), ("0,1m,4", .guesses), ("101", .guesses), ("60,1m,60", .guesses), ("+4", .guesses),
            ("99999999999999999999", .guesses), ("4,2m,4,1m,4", .shrinkingWaits),
            (String(repeating: "1,1s,", count: 20) + "1", .rounds), (String(repeating: "1", count: 401), .rounds),
        ] as [(String, GuessRoundsError)])
    func refused(text: String, error: GuessRoundsError) {
        #expect(throws: error) { try GuessRounds(text: text) }
    }

    @Test("A wait has whole seconds, and there is one between two rounds")
    func values() {
        #expect(throws: GuessRoundsError.waits) { try GuessRounds(guesses: [1, 1], waits: [.milliseconds(1500)]) }
        #expect(throws: GuessRoundsError.rounds) { try GuessRounds(guesses: [1, 1], waits: []) }
        #expect(throws: GuessRoundsError.rounds) { try GuessRounds(guesses: [], waits: []) }
        #expect(GuessRounds.default.guesses == [10] && GuessRounds.default.waits.isEmpty)
    }

    /// A generator whose walks are the same in every run.
    private struct Walk: RandomNumberGenerator {
        var state: UInt64

        // An xorshift generator.
        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    /// A guess that was charged, by a clock that cannot be set.
    private struct Charge {
        let time: Int
        let count: Int
    }

    @Test(
        """
        On any random walk, with a clock that is set ahead and back, no wait is shorter than the rule says or longer \
        than it was told, and guesses go on until the last round ends
        """, arguments: 1...20)
    func walk(seed: UInt64) throws {
        var generator = Walk(state: seed &* 0x9E37_79B9_7F4A_7C15)
        let rounds = try GuessRounds(guesses: [2, 1, 3, 2], waits: [.seconds(60), .seconds(300), .seconds(3600)])
        let ends = [2: 60, 3: 300, 6: 3600]
        let device = try Self.device()
        var history = ClockHistory()
        var state = PinHardening()
        var (uptime, jumps) = (0, 0)
        var charges: [Charge] = []
        var (waitCount, chargeCount) = (0, 0)

        func take(_ action: PinStep.Action, by key: KeyID) -> PinStepOutcome {
            let now = NumericDate(secondsSince1970: 1_800_000_000 + uptime + jumps)
            let time = history.read(now, uptime: .seconds(uptime))
            return state.take(
                PinStep(signer: key, rounds: rounds, action), of: device, isCodeGood: true, at: time
            ).outcome
        }

        for _ in 0..<600 {
            uptime += Int.random(in: 0...90, using: &generator)
            if Int.random(in: 0..<20, using: &generator) == 0 {
                // The clock is read before it is set, as upkeep does every minute.
                _ = take(.abandon(.first), by: device.possessionKey)
                jumps += Int.random(in: -200_000...200_000, using: &generator)
            }
            if state.current == nil, state.candidate == nil {
                let code: EnrolmentCodeMAC? = state.isCodeRequired ? Fixture.hash() : nil
                let key = SealedPinKey(epoch: state.nextEpoch, publicKey: try PinSteps.key(1).publicKey, box: [1])
                guard case .opened = take(.open(key, code: code), by: device.key.thumbprint) else {
                    throw StepFailed(outcome: "not opened")
                }
                charges = []
            }
            let epoch = try #require(state.candidate?.key.epoch)
            let guess = PinGuess(epoch: epoch, window: state.window, blindedElement: try PinSteps.element())
            let last = charges.last
            let wait = last.flatMap { ends[$0.count] } ?? 0
            switch take(.guess(guess, id: .random()), by: device.possessionKey) {
            case .charged(let charged):
                if let last { #expect(uptime - last.time >= wait) }
                charges.append(Charge(time: uptime, count: charged.charged.ids.count))
                #expect(charged.wait?.seconds == ends[charged.charged.ids.count])
                chargeCount += 1
            case .refused(.waiting(let told), _):
                let charge = try #require(last)
                // If the clock was set back, it may show the time of the guess again. The later moment counts then.
                #expect(told.seconds >= wait - (uptime - charge.time) && told.seconds <= wait)
                waitCount += 1
            case .refused(.destroyed, _): #expect(last?.count == rounds.limit.count)
            case let outcome: throw StepFailed(outcome: "\(outcome)")
            }
            #expect(try PinHardening(stored: state.stored) == state)
        }
        #expect(waitCount > 50 && chargeCount > 10, "The walk goes somewhere: \(waitCount), \(chargeCount)")
    }

    private static func device() throws -> DeviceRecord {
        let keys = TestDevice()
        return DeviceRecord(
            id: .random(), user: try Fixture.alice(), client: .default, key: try keys.key.jwk,
            possessionKey: try keys.possession.id, name: try Fixture.phone(), boundAt: TestTime.start)
    }

    @Test("A row from before there were rounds begins its wait at the first guess after it, and ends it")
    func before() throws {
        let device = try Self.device()
        let rounds = try GuessRounds(guesses: [1, 9], waits: [.seconds(60)])
        var state = PinHardening()
        func take(_ action: PinStep.Action, by key: KeyID, at seconds: Int) -> PinStepOutcome {
            let time = StepTime(TestTime.start + .seconds(seconds))
            let step = PinStep(signer: key, rounds: rounds, action)
            return state.take(step, of: device, isCodeGood: false, at: time).outcome
        }
        func guess(at seconds: Int) throws -> PinStepOutcome {
            let guess = PinGuess(epoch: .first, window: state.window, blindedElement: try PinSteps.element())
            return take(.guess(guess, id: .random()), by: device.possessionKey, at: seconds)
        }
        _ = take(.open(try PinSteps.key(1), code: nil), by: device.key.thumbprint, at: 0)
        _ = try guess(at: 0)
        let stored = String(decoding: state.stored, as: UTF8.self)
        let old = stored.replacing(#/"charged_at":\d+,/#, with: "")
        #expect(old != stored)
        state = try PinHardening(stored: Array(old.utf8))
        #expect(state.guesses.first?.chargedAt == nil)
        for (seconds, left) in [(1000, 60), (1030, 30)] {
            guard case .refused(.waiting(let wait), _) = try guess(at: seconds) else {
                throw StepFailed(outcome: "no wait")
            }
            #expect(wait.seconds == left)
        }
        guard case .charged = try guess(at: 1060) else { throw StepFailed(outcome: "not charged") }
    }
}
