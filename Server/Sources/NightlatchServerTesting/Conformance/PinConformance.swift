import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about guesses at two-party PINs that every store keeps.
package enum PinConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement(
            "A guess is charged once, however often it is sent, and beyond the limit all keys are destroyed"
        ) { store in
            let pin = try await PinSteps.enrolled(in: store)
            let first = try PinSteps.element()
            let charged = try await pin.charged(first, epoch: 1, window: 1)
            #expect(charged.triesLeft == 9 && charged.charged.ids == [charged.id])
            for _ in 0..<3 { #expect(try await pin.charged(first, epoch: 1, window: 1) == charged) }
            for count in 2...10 {
                let next = try await pin.charged(PinSteps.element(), epoch: 1, window: 1)
                #expect(next.triesLeft == 10 - count && next.charged.ids.count == count)
                #expect(next.charged.ids.first == charged.id && next.charged.ids.last == next.id)
            }
            // A guess that is already charged is answered again. It destroys nothing.
            #expect(try await pin.charged(first, epoch: 1, window: 1).id == charged.id)
            #expect(try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 1)) == .destroyed)
            #expect(try await pin.refusal(pin.guess(first, epoch: 1, window: 1)) == .destroyed)
            let state = try await store.pinHardening(of: pin.id)
            #expect(state.current == nil && state.candidate == nil && state.isCodeRequired)
            // The first count is that of the enrolment.
            let counts = try await pin.events(.pinGuessCharged).compactMap(\.count).sorted()
            #expect(counts == [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
            #expect(try await pin.events(.pinKeysDestroyed).count == 1)
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        },

        StoreRequirement("Of 200 guesses at once, ten are charged") { store in
            let pin = try await PinSteps.enrolled(in: store)
            let outcomes = try await inParallel(200) {
                try await pin.take(pin.guess(PinSteps.element(), epoch: 1, window: 1))
            }
            let ids = outcomes.compactMap { if case .charged(let guess) = $0 { guess.id } else { nil } }
            #expect(ids.count == 10 && Set(ids).count == 10)
            let others = outcomes.filter { if case .refused(.destroyed, _) = $0 { true } else { false } }
            #expect(others.count == 190)
            #expect(try await pin.events(.pinKeysDestroyed).count == 1)
        },

        StoreRequirement(
            "One counter covers all live epochs, and opening, abandoning and repeating restore no guesses"
        ) { store in
            let pin = try await PinSteps.enrolled(in: store)
            for _ in 1...4 { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1) }
            try await pin.open(2, by: pin.knowledge)
            try await pin.open(2, by: pin.knowledge)
            for _ in 1...3 { _ = try await pin.charged(PinSteps.element(), epoch: 2, window: 1) }
            guard case .abandoned = try await pin.take(.abandon(PinSteps.epoch(2)), by: pin.knowledge) else {
                throw StepFailed(outcome: "not abandoned")
            }
            try await pin.open(3, by: pin.knowledge)
            #expect(try await pin.charged(PinSteps.element(), epoch: 3, window: 1).triesLeft == 2)
            _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1)
            _ = try await pin.charged(PinSteps.element(), epoch: 3, window: 1)
            #expect(try await pin.refusal(pin.guess(PinSteps.element(), epoch: 3, window: 1)) == .destroyed)
            #expect(try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 1)) == .destroyed)
        },

        StoreRequirement(
            """
            Only the current knowledge key clears the count, for a guess of this window; a repetition \
            gets the same answer
            """
        ) { store in
            let pin = try await PinSteps.enrolled(in: store)
            let other = try await PinSteps.enrolled(in: store)
            let guesses = [
                try await pin.charged(PinSteps.element(), epoch: 1, window: 1),
                try await pin.charged(PinSteps.element(), epoch: 1, window: 1),
            ]
            let foreign = try await other.charged(PinSteps.element(), epoch: 1, window: 1)
            let proof = PinSteps.proof(guesses[1].id, own: guesses.map(\.id), epoch: 1, window: 1)
            for key in [try pin.device.key.id, try pin.device.possession.id, other.knowledge] {
                #expect(try await pin.refusal(.prove(proof), by: key) == .notEntitled)
            }
            #expect(try await pin.refusal(.prove(PinSteps.proof(foreign.id, epoch: 1, window: 1))) == .guessUnknown)
            #expect(try await pin.refusal(.prove(PinSteps.proof(guesses[1].id, epoch: 1, window: 0))) == .windowPassed)
            #expect(try await pin.refusal(.prove(PinSteps.proof(guesses[1].id, epoch: 2, window: 1))) == .epochPassed)
            #expect(try await store.pinHardening(of: pin.id).guesses.count == 2)

            let cleared = PinStepOutcome.cleared(try PinSteps.cleared(guesses.map(\.id), epoch: 1, window: 2))
            for _ in 0..<2 { #expect(try await pin.take(.prove(proof), by: pin.knowledge) == cleared) }
            #expect(try await pin.events(.pinProved).map(\.count) == [2])
            #expect(
                try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 1)) == .windowPassed,
                "A guess that was captured burns nothing.")
            #expect(try await pin.charged(PinSteps.element(), epoch: 1, window: 2).triesLeft == 9)
            #expect(try await pin.take(.prove(proof), by: pin.knowledge) == cleared)
            #expect(try await store.pinHardening(of: pin.id).guesses.count == 1)
        },

        StoreRequirement(
            """
            A proof clears the guesses that the device names as its own; the others still count, are \
            reported, can destroy the keys, and are cleared by a promotion
            """
        ) { store in
            let pin = try await PinSteps.enrolled(in: store)
            func charged(window: Int) async throws -> ChargedPinGuess {
                try await pin.charged(PinSteps.element(), epoch: 1, window: window)
            }
            let (foreign, wrong) = (try await charged(window: 1).id, try await charged(window: 1).id)
            let right = try await charged(window: 1).id
            let proof = PinSteps.proof(right, own: [wrong, .random()], epoch: 1, window: 1)
            let cleared = PinStepOutcome.cleared(try PinSteps.cleared([wrong, right], epoch: 1, window: 2))
            for _ in 0..<2 { #expect(try await pin.take(.prove(proof), by: pin.knowledge) == cleared) }
            #expect(
                try await pin.refusal(.prove(PinSteps.proof(foreign, epoch: 1, window: 2))) == .guessUnknown,
                "A guess of an earlier window proves nothing in this one.")
            // If the client names no other guesses as its own, the proof clears only the right guess.
            let (silent, next) = (try await charged(window: 2).id, try await charged(window: 2))
            #expect(next.charged.ids == [foreign, silent, next.id] && next.triesLeft == 7)
            _ = try await pin.take(.prove(PinSteps.proof(next.id, epoch: 1, window: 2)))
            let state = try await store.pinHardening(of: pin.id)
            #expect(state.unexplained.map(\.id) == [foreign, silent] && state.guesses.isEmpty)
            #expect(state.standing(under: .default, at: TestTime.start).triesLeft == 8)
            for window in 3...9 {
                _ = try await charged(window: window)
                let last = try await charged(window: window)
                _ = try await pin.take(.prove(PinSteps.proof(last.id, epoch: 1, window: window)))
                guard last.triesLeft == 0 else { continue }
                #expect(window == 9)
            }
            let last = try await charged(window: 10)
            #expect(last.triesLeft == 0 && last.charged.ids.count == 10)
            #expect(try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 10)) == .destroyed)
            #expect(try await store.pinHardening(of: pin.id).unexplained.isEmpty)

            let other = try await PinSteps.enrolled(in: store)
            _ = try await other.charged(PinSteps.element(), epoch: 1, window: 1)
            _ = try await other.take(
                .prove(
                    PinSteps.proof(
                        try await other.charged(PinSteps.element(), epoch: 1, window: 1).id, epoch: 1, window: 1)))
            try await other.open(2, by: other.knowledge)
            let thiefs = try await other.charged(PinSteps.element(), epoch: 2, window: 2).id
            let own = try await other.charged(PinSteps.element(), epoch: 2, window: 2)
            #expect(own.triesLeft == 7)
            _ = try await other.take(.promote(PinSteps.promotion(own.id, epoch: 2, window: 2, key: .random())))
            #expect(try await store.pinHardening(of: other.id).unexplained.map(\.id) == [thiefs])
        },

        StoreRequirement(
            "A promotion destroys the previous epoch; a late promotion, and one of an abandoned candidate, are refused"
        ) { store in
            let pin = try await PinSteps.enrolled(in: store)
            try await pin.open(2, by: pin.knowledge)
            let abandoned = try await pin.charged(PinSteps.element(), epoch: 2, window: 1)
            try await pin.open(3, by: pin.knowledge)
            let next = KeyID.random()
            let late = PinSteps.promotion(abandoned.id, epoch: 2, window: 1, key: next)
            #expect(try await pin.refusal(.promote(late), by: pin.knowledge) == .epochPassed)
            #expect(try await pin.refusal(pin.guess(PinSteps.element(), epoch: 2, window: 1)) == .epochPassed)

            let current = try await pin.charged(PinSteps.element(), epoch: 1, window: 1)
            let guess = try await pin.charged(PinSteps.element(), epoch: 3, window: 1)
            let wrong = PinSteps.promotion(current.id, epoch: 3, window: 1, key: next)
            #expect(try await pin.refusal(.promote(wrong), by: pin.knowledge) == .guessUnknown)
            let good = PinSteps.promotion(guess.id, epoch: 3, window: 1, key: next)
            #expect(try await pin.refusal(.promote(good), by: pin.device.key.id) == .notEntitled)
            for key in [pin.knowledge, try pin.device.key.id, try pin.device.possession.id] {
                let taken = PinSteps.promotion(guess.id, epoch: 3, window: 1, key: key)
                #expect(try await pin.refusal(.promote(taken), by: pin.knowledge) == .notEntitled)
            }
            let cleared = PinStepOutcome.cleared(
                try PinSteps.cleared([abandoned.id, current.id, guess.id], epoch: 3, window: 2))
            for _ in 0..<2 { #expect(try await pin.take(.promote(good), by: pin.knowledge) == cleared) }

            #expect(try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 2)) == .epochPassed)
            #expect(
                try await pin.refusal(.prove(PinSteps.proof(current.id, epoch: 1, window: 1)), by: pin.knowledge)
                    == .notEntitled)
            for key in [next, pin.knowledge, try pin.device.key.id] {
                #expect(try await pin.refusal(.abandon(PinSteps.epoch(3)), by: key) == .epochPassed)
            }
            #expect(
                try await pin.refusal(.abandon(PinSteps.epoch(2)), by: pin.knowledge) == .notEntitled,
                "Who has the key before is told nothing but that its own epoch was promoted.")
            for key in [next, try pin.device.key.id] {
                guard case .abandoned = try await pin.take(.abandon(PinSteps.epoch(2)), by: key) else {
                    throw StepFailed(outcome: "not told that it is abandoned")
                }
            }
            let state = try await store.pinHardening(of: pin.id)
            #expect(state.current?.epoch == PinSteps.epoch(3) && state.knowledgeKey == next && state.candidate == nil)
            #expect(try await pin.events(.pinEpochPromoted).count == 2)
        },

        StoreRequirement(
            "Guesses for an unknown device, another user's device or with another key are refused"
        ) { store in
            let pin = try await PinSteps.enrolled(in: store)
            let step = try pin.guess(PinSteps.element(), epoch: 1, window: 1)
            for key in [try pin.device.key.id, pin.knowledge, .random()] {
                #expect(try await pin.refusal(step, by: key) == .notEntitled)
            }
            let action = PinStep(signer: try pin.device.possession.id, rounds: .default, step)
            for (device, user) in [(pin.id, try Fixture.bob()), (DeviceID.random(), pin.user)] {
                let outcome = try await store.recordPinStep(action, of: device, user: user)
                #expect(outcome == .refused(.notEntitled, PinHardening()))
            }
            #expect(try await store.pinHardening(of: pin.id).guesses.isEmpty)
            #expect(try await store.pinHardening(of: .random()) == PinHardening())
        },
    ]
}
