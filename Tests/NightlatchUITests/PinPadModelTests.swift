import Nightlatch
import NightlatchTesting
import NightlatchUI
import Observation
import Testing

@Suite("The pad's model as a prompt of the library", .timeLimit(.minutes(5)))
@MainActor
struct PinPadModelTests {
    /// Returns when the pad shows the condition.
    private static func wait(for pad: PinPadModel, until isReached: (PinPadDisplay) -> Bool) async {
        while !isReached(pad.display) {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = pad.display
                } onChange: {
                    // The observer is called before the change; this runs after it.
                    Task { @MainActor in continuation.resume() }
                }
            }
        }
    }

    /// Does an act of a user at a pad.
    private static func perform(_ act: PinPromptAct, at pad: PinPadModel) async {
        await wait(for: pad) { !$0.offeredKeys.isEmpty }
        switch act {
        case .type(let digits):
            for _ in 0..<(pad.display.offeredKeys.contains(.forgotten) ? 1 : 2) {
                for digit in digits.compactMap(\.wholeNumberValue).compactMap({ PinDigit(rawValue: UInt8($0)) }) {
                    pad.press(.digit(digit))
                }
                pad.press(.submit)
            }
        case .cancel: pad.press(.cancel)
        case .forget:
            pad.press(.forgotten)
            pad.press(.giveUp)
        case .chooseBiometrics: pad.press(.biometrics)
        case .wait: break
        }
    }

    @Test("The model passes every prompt conformance check", arguments: PinPromptConformance.allCases)
    func conformance(_ promise: PinPromptConformance) async throws {
        try await promise.check { act in
            let pad = PinPadModel(isShuffled: true)
            return (pad, { await Self.perform(act, at: pad) })
        }
    }

    @Test("A countdown runs automatically, and digits are accepted when it ends")
    func countdown() async throws {
        let (ticks, ticker) = AsyncStream<Void>.makeStream()
        let pad = PinPadModel(isShuffled: false) { _ in
            for await _ in ticks { return }
            throw CancellationError()
        }
        let challenge = try TestChallenge.enter(failures: 3, wait: .nanoseconds(1))
        let answer = Task { await pad.enterPin(challenge) }
        await Self.wait(for: pad) { !$0.offeredKeys.isEmpty }
        #expect(pad.display.countdown == .nanoseconds(1) && !pad.display.keys.contains(.digit(.one)))
        ticker.yield()
        await Self.wait(for: pad) { $0.countdown == nil }
        #expect(pad.display.keys.contains(.digit(.one)))
        pad.press(.cancel)
        guard case .cancelled = await answer.value else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test("Cancelling a caller after its answer withdraws no later challenge", arguments: [true, false])
    func lateCancellation(isNewPin: Bool) async throws {
        let pad = PinPadModel()
        let (challenge, creation) = (try TestChallenge.enter(), try TestChallenge.create())
        let first = Task {
            if isNewPin { _ = await pad.createPin(creation) } else { _ = await pad.enterPin(challenge) }
        }
        await Self.wait(for: pad) { !$0.offeredKeys.isEmpty }
        // The cancellation reaches the pad after the next challenge.
        first.cancel()
        pad.press(.cancel)
        let typing = Task {
            for digit: UInt8 in [2, 9, 5, 0, 3, 8] { pad.press(.digit(try #require(PinDigit(rawValue: digit)))) }
        }
        guard case .pin = await pad.enterPin(challenge) else {
            Issue.record("the second question was withdrawn")
            return
        }
        try await typing.value
        await first.value
    }

    @Test("The outcome of a decision or of a new PIN is shown; after a cancel or a wait nothing is")
    func outcomes() {
        let pad = PinPadModel()
        let decisions: [(TransactionOutcome, PinPadDisplay.Title)] = [
            (.blocked(.recoveryPhrase), .ended(.blocked(.recoveryPhrase))), (.cancelled, .idle),
            (.erased, .ended(.erased)), (.waiting(.seconds(1), triesLeft: 3), .idle), (.missing, .ended(.missing)),
        ]
        for (outcome, title) in decisions {
            pad.show(outcome)
            #expect(pad.display.title == title)
        }
        let changes: [(NewPinOutcome, PinPadDisplay.Title)] = [
            (.blocked(.newCredentials), .ended(.blocked(.newCredentials))), (.cancelled, .idle),
            (.erased, .ended(.erased)), (.waiting(.seconds(1), triesLeft: 3), .idle), (.missing, .ended(.missing)),
        ]
        for (outcome, title) in changes {
            pad.show(outcome)
            #expect(pad.display.title == title)
        }
    }

    @Test("Clearing removes the typed digits without an answer, and typing starts over")
    func clearing() async throws {
        let pad = PinPadModel()
        let challenge = try TestChallenge.enter()
        let answer = Task { await pad.enterPin(challenge) }
        await Self.wait(for: pad) { !$0.offeredKeys.isEmpty }
        pad.press(.digit(.two))
        pad.clear()
        #expect(pad.display.typedCount == 0 && pad.display.title == .enterPin(challenge.purpose))
        for _ in 0..<6 { pad.press(.digit(.nine)) }
        guard case .pin(let box) = await answer.value, let pin = box.take() else {
            Issue.record("no PIN was answered")
            return
        }
        #expect(pin.isEqual(to: try Pin(digits: SecretBytes(copying: Array("999999".utf8)))))
    }

    @Test("The same feedback twice has two numbers")
    func feedback() async throws {
        let pad = PinPadModel()
        pad.end(.failed)
        let first = try #require(pad.feedback)
        pad.end(.failed)
        #expect(first.kind == .wrong && pad.feedback?.kind == .wrong && pad.feedback != first)
    }
}
