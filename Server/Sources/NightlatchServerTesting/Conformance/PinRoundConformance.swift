import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about rounds of guesses at two-party PINs, and the waits between them, that every store keeps.
package enum PinRoundConformance {
    /// Two guesses, a minute, two guesses, five minutes, one guess.
    private static func someRounds() throws -> GuessRounds {
        try GuessRounds(guesses: [2, 2, 1], waits: [.seconds(60), .seconds(300)])
    }

    private static func wait(_ seconds: Int) throws -> PinStepRefusal {
        .waiting(try #require(PinWait(seconds: seconds)))
    }

    package static let requirements: [StoreRequirement] =
        ofRounds + [3600, -3600, 30 * 24 * 3600, -30 * 24 * 3600].map(ofClock)

    private static let ofRounds: [StoreRequirement] = [
        StoreRequirement(
            """
            After a round a guess waits and is not charged, a charged one is still answered, and after the \
            last round the keys are destroyed
            """
        ) { store in
            let (pin, rounds) = (try await PinSteps.enrolled(in: store), try someRounds())
            func charged(_ element: BlindedElement) async throws -> ChargedPinGuess {
                try await pin.charged(element, epoch: 1, window: 1, under: rounds)
            }
            func refusal() async throws -> PinStepRefusal {
                try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 1), under: rounds)
            }
            let first = try await charged(PinSteps.element())
            #expect(first.triesLeft == 4 && first.wait == nil)
            let element = try PinSteps.element()
            let second = try await charged(element)
            #expect(second.triesLeft == 3 && second.wait == PinWait(seconds: 60))
            let state = try await store.pinHardening(of: pin.id)
            #expect(try await refusal() == wait(60))
            try await TestTime.after(.seconds(59)) {
                let (now, again) = (try await refusal(), try await charged(element))
                #expect(try now == wait(1))
                #expect(again.id == second.id && again.wait == PinWait(seconds: 1))
                let standing = state.standing(under: rounds, at: TestTime.current)
                #expect(standing.wait == PinWait(seconds: 1) && standing.triesLeft == 3)
            }
            #expect(try await store.pinHardening(of: pin.id) == state, "A refused guess changes nothing.")
            try await TestTime.after(.seconds(60)) {
                let third = try await charged(PinSteps.element())
                let fourth = try await charged(PinSteps.element())
                #expect(third.wait == nil && fourth.wait == PinWait(seconds: 300) && fourth.triesLeft == 1)
                let now = try await refusal()
                #expect(try now == wait(300))
                try await TestTime.after(.seconds(300)) {
                    let last = try await charged(PinSteps.element())
                    #expect(last.triesLeft == 0 && last.wait == nil)
                    let end = try await refusal()
                    #expect(end == .destroyed)
                }
            }
            // The first guess is that of the enrolment.
            #expect(try await pin.events(.pinGuessCharged).compactMap(\.count).sorted() == [1, 1, 2, 3, 4, 5])
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        },

        StoreRequirement("Of 200 guesses at once, as many are charged as the round allows") { store in
            let (pin, rounds) = (try await PinSteps.enrolled(in: store), try someRounds())
            func guessOften() async throws -> [PinStepOutcome] {
                try await inParallel(200) {
                    try await pin.take(pin.guess(PinSteps.element(), epoch: 1, window: 1), under: rounds)
                }
            }
            func check(_ outcomes: [PinStepOutcome], charged: Int, wait: PinStepRefusal) {
                #expect(outcomes.count { if case .charged = $0 { true } else { false } } == charged)
                let waiting = outcomes.count { if case .refused(wait, _) = $0 { true } else { false } }
                #expect(waiting == 200 - charged)
            }
            check(try await guessOften(), charged: 2, wait: try wait(60))
            check(try await guessOften(), charged: 0, wait: try wait(60))
            try await TestTime.after(.seconds(60)) {
                check(try await guessOften(), charged: 2, wait: try wait(300))
            }
        },

        StoreRequirement("A proof removes the owner's guesses from the round, and begins no wait again") { store in
            let (pin, rounds) = (try await PinSteps.enrolled(in: store), try someRounds())
            func charged(window: Int) async throws -> ChargedPinGuess {
                try await pin.charged(PinSteps.element(), epoch: 1, window: window, under: rounds)
            }
            // Two guesses of a thief end the round. The owner waits.
            for _ in 1...2 { _ = try await charged(window: 1) }
            try await TestTime.after(.seconds(60)) {
                let proof = PinSteps.proof(try await charged(window: 1).id, epoch: 1, window: 1)
                _ = try await pin.take(.prove(proof), under: rounds)
                // The thief's guesses still count, and their wait is over: the change of epoch that is due can begin.
                try await pin.open(2, by: pin.knowledge)
                let guess = try await pin.charged(PinSteps.element(), epoch: 2, window: 2, under: rounds)
                #expect(guess.charged.ids.count == 3 && guess.triesLeft == 2)
                let promotion = PinSteps.promotion(guess.id, epoch: 2, window: 2, key: .random())
                guard case .cleared = try await pin.take(.promote(promotion), under: rounds) else {
                    throw StepFailed(outcome: "not promoted")
                }
                let next = try await pin.charged(PinSteps.element(), epoch: 2, window: 3, under: rounds)
                #expect(next.charged.ids.count == 1 && next.wait == nil)
            }
        },

        StoreRequirement("Waits cover all live epochs, and opening or abandoning one ends no wait") { store in
            let (pin, rounds) = (try await PinSteps.enrolled(in: store), try someRounds())
            _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1, under: rounds)
            try await pin.open(2, by: pin.knowledge)
            _ = try await pin.charged(PinSteps.element(), epoch: 2, window: 1, under: rounds)
            for epoch in 1...2 {
                let guess = try pin.guess(PinSteps.element(), epoch: epoch, window: 1)
                #expect(try await pin.refusal(guess, under: rounds) == wait(60))
            }
            guard case .abandoned = try await pin.take(.abandon(PinSteps.epoch(2)), under: rounds) else {
                throw StepFailed(outcome: "not abandoned")
            }
            // An enrolment code does not end the wait either, because it destroys no key.
            let code = try await store.newCode(for: pin.user)
            try await pin.open(3, by: pin.device.key.id, code: code)
            for epoch in [1, 3] {
                let guess = try pin.guess(PinSteps.element(), epoch: epoch, window: 1)
                #expect(try await pin.refusal(guess, under: rounds) == wait(60))
            }
        },

        StoreRequirement(
            "A guess that another process charged while its clock was a month ahead begins its wait at the next step"
        ) { store in
            let (pin, rounds) = (try await PinSteps.enrolled(in: store), try someRounds())
            // The time passes for this store, so its history shows no jump and explains no time in the future.
            try await TestTime.after(.seconds(30 * 24 * 3600)) {
                for _ in 1...2 { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1, under: rounds) }
            }
            let guess = try pin.guess(PinSteps.element(), epoch: 1, window: 1)
            #expect(try await pin.refusal(guess, under: rounds) == wait(60))
            try await TestTime.after(.seconds(59)) {
                let refusal = try await pin.refusal(guess, under: rounds)
                #expect(try refusal == wait(1))
            }
            try await TestTime.after(.seconds(60)) {
                let outcome = try await pin.take(guess, under: rounds)
                guard case .charged = outcome else { throw StepFailed(outcome: "\(outcome)") }
            }
        },

        StoreRequirement("Other rounds apply to the guesses that were charged before") { store in
            let (pin, rounds) = (try await PinSteps.enrolled(in: store), try someRounds())
            for _ in 1...2 { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1) }
            let guess = try pin.guess(PinSteps.element(), epoch: 1, window: 1)
            try await TestTime.after(.seconds(10)) {
                let refusal = try await pin.refusal(guess, under: rounds)
                #expect(try refusal == wait(50))
                let longer = try GuessRounds(guesses: [2, 2], waits: [.seconds(3600)])
                let other = try await pin.refusal(guess, under: longer)
                #expect(try other == wait(3590))
            }
            // Without rounds there is no wait.
            let outcome = try await pin.take(guess)
            guard case .charged(let charged) = outcome else { throw StepFailed(outcome: "\(outcome)") }
            #expect(charged.wait == nil && charged.triesLeft == 7)
        },
    ]

    /// The rule for a clock that is set by `seconds` during a wait.
    private static func ofClock(setBy seconds: Int) -> StoreRequirement {
        StoreRequirement("A clock that is set by \(seconds) seconds neither shortens nor prolongs a wait") { store in
            // Some stores read the clock once more without the test's task, where it is never later than here.
            try await TestTime.after(.seconds(40 * 24 * 3600)) {
                let (pin, rounds) = (try await PinSteps.enrolled(in: store), try someRounds())
                func refusal() async throws -> PinStepRefusal {
                    try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 1), under: rounds)
                }
                for _ in 1...2 { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1, under: rounds) }
                try await TestTime.after(.seconds(20)) {
                    let before = try await refusal()
                    #expect(try before == wait(40))
                    try await TestTime.setting(.seconds(seconds)) {
                        for _ in 1...3 {
                            let after = try await refusal()
                            #expect(try after == wait(40))
                        }
                        try await TestTime.after(.seconds(39)) {
                            let end = try await refusal()
                            #expect(try end == wait(1))
                        }
                        try await TestTime.after(.seconds(40)) {
                            _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1, under: rounds)
                        }
                    }
                }
            }
        }
    }
}
