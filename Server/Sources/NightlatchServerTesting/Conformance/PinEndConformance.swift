import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about the end of two-party PINs that every store keeps.
package enum PinEndConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement(
            "A last guess that is not proved within ten minutes destroys all keys, with or without another request"
        ) { store in
            for isProved in [true, false] {
                let pin = try await PinSteps.enrolled(in: store)
                var last: ChargedPinGuess?
                for _ in 1...10 { last = try await pin.charged(PinSteps.element(), epoch: 1, window: 1) }
                let proof = PinSteps.proof(try #require(last).id, epoch: 1, window: 1)
                try await TestTime.after(.seconds(600)) {
                    try await store.destroyDuePinKeys(guessLimit: 10)
                    if isProved {
                        let outcome = try await pin.take(.prove(proof), by: pin.knowledge)
                        guard case .cleared = outcome else { throw StepFailed(outcome: "\(outcome)") }
                    }
                }
                try await TestTime.after(.seconds(601)) {
                    if !isProved {
                        let refusal = try await pin.refusal(.prove(proof), by: pin.knowledge)
                        #expect(refusal == .destroyed)
                    }
                    try await store.destroyDuePinKeys(guessLimit: 10)
                    let state = try await store.pinHardening(of: pin.id)
                    #expect((state.current == nil) == !isProved)
                    // The actor is the server, because its purge destroyed the keys.
                    let events = try await pin.events(.pinKeysDestroyed).map(\.actor)
                    #expect(events == (isProved ? [] : [.server]))
                }
            }
            let silent = try await PinSteps.enrolled(in: store)
            for _ in 1...10 { _ = try await silent.charged(PinSteps.element(), epoch: 1, window: 1) }
            try await TestTime.after(.seconds(601)) { try await store.destroyDuePinKeys(guessLimit: 10) }
            #expect(try await store.pinHardening(of: silent.id).current == nil)
            #expect(try await silent.events(.pinKeysDestroyed).map(\.actor) == [.server])
        },

        StoreRequirement(
            "A last guess charged while the clock was a month ahead is due ten minutes after the clock is corrected"
        ) { store in
            let pin = try await PinSteps.enrolled(in: store)
            try await TestTime.after(.seconds(30 * 24 * 3600)) {
                for _ in 1...10 { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1) }
            }
            try await store.destroyDuePinKeys(guessLimit: 10)
            #expect(try await store.pinHardening(of: pin.id).exhaustedAt == TestTime.current)
            #expect(try await pin.events(.pinKeysDestroyed).isEmpty)
            try await TestTime.after(.seconds(601)) { try await store.destroyDuePinKeys(guessLimit: 10) }
            #expect(try await store.pinHardening(of: pin.id).current == nil)
            #expect(try await pin.events(.pinKeysDestroyed).map(\.actor) == [.server])
        },

        StoreRequirement("Revoking or replacing a device destroys its keys, and blocking it keeps them") { store in
            let pin = try await PinSteps.enrolled(in: store)
            _ = try await store.change(pin.id, of: pin.user, by: .user, .block)
            #expect(
                try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 1)) == .deviceStopped(.blocked))
            #expect(try await store.pinHardening(of: pin.id).current != nil)
            _ = try await store.change(pin.id, of: pin.user, by: .user, .unblock)
            _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1)
            _ = try await store.revoke(pin.id, of: pin.user)
            #expect(try await store.pinHardening(of: pin.id).current == nil)
            #expect(
                try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 1)) == .deviceStopped(.revoked))

            let replaced = try await PinSteps.enrolled(in: store)
            let code = try await store.newCode(for: replaced.user)
            _ = try await store.bind(
                TestDevice().binding(user: replaced.user, code: code, policy: .one), consuming: Fixture.use())
            #expect(try await store.pinHardening(of: replaced.id).current == nil)
            #expect(try await replaced.events(.pinKeysDestroyed).count == 1)
        },

        StoreRequirement(
            """
            With a raised limit guesses are left and no key is destroyed, charged again or not; with a \
            lowered limit keys are destroyed in time
            """
        ) { store in
            let (used, waiting) = (try await PinSteps.enrolled(in: store), try await PinSteps.enrolled(in: store))
            let (lowered, raised) = (try await PinSteps.enrolled(in: store), try PinSteps.round(15))
            for pin in [used, waiting, lowered] {
                for _ in 1...10 { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1) }
            }
            #expect(try await used.charged(PinSteps.element(), epoch: 1, window: 1, under: raised).triesLeft == 4)
            try await TestTime.after(.seconds(601)) {
                try await store.destroyDuePinKeys(guessLimit: 15)
                for pin in [used, waiting] {
                    let guess = try await pin.charged(PinSteps.element(), epoch: 1, window: 1, under: raised)
                    #expect(guess.triesLeft == (pin.id == used.id ? 3 : 4))
                    let state = try await store.pinHardening(of: pin.id)
                    #expect(state.standing(under: raised, at: TestTime.current).triesLeft == guess.triesLeft)
                }
                let events = try await used.events(.pinKeysDestroyed) + waiting.events(.pinKeysDestroyed)
                #expect(events.isEmpty)
                try await store.destroyDuePinKeys(guessLimit: 5)
            }
            #expect(try await store.pinHardening(of: lowered.id).current == nil)
        },

        StoreRequirement(
            "A guess keeps its first evaluation, in its own window only, and a repetition gets the same one"
        ) { store in
            let pin = try await PinSteps.enrolled(in: store)
            let element = try PinSteps.element()
            let guess = try await pin.charged(element, epoch: 1, window: 1)
            #expect(guess.evaluation == nil)
            let (first, second) = (try PinSteps.evaluation(), try PinSteps.evaluation())
            for key in [pin.knowledge, try pin.device.key.id] {
                #expect(try await pin.refusal(.keep(first, of: guess), by: key) == .notEntitled)
            }
            for evaluation in [first, second] {
                let kept = try await pin.take(.keep(evaluation, of: guess))
                guard case .charged(let kept) = kept else { throw StepFailed(outcome: "\(kept)") }
                #expect(kept.evaluation == first && kept.id == guess.id && kept.triesLeft == 9)
            }
            #expect(try await pin.charged(element, epoch: 1, window: 1).evaluation == first)
            #expect(try await pin.events(.pinGuessCharged).map(\.count) == [1, 1])

            let proof = PinSteps.proof(guess.id, epoch: 1, window: 1)
            guard case .cleared = try await pin.take(.prove(proof)) else { throw StepFailed(outcome: "not cleared") }
            #expect(try await pin.refusal(.keep(second, of: guess)) == .windowPassed)
            _ = try await store.revoke(pin.id, of: pin.user)
            #expect(try await pin.refusal(.keep(second, of: guess)) == .deviceStopped(.revoked))
        },

        StoreRequirement(
            """
            A login with a two-party PIN is recorded only if the device still has one; a blocked or \
            revoked device learns its state
            """
        ) { store in
            let (pin, phone) = (try await PinSteps.enrolled(in: store), TestDevice())
            let without = try await store.bind(phone, to: pin.user)
            func logIn(_ device: TestDevice, _ id: DeviceID, limit: Int? = 10) async throws -> LoginOutcome {
                let login = try device.login(id: id, user: pin.user, pinGuessLimit: limit)
                let use = Fixture.use()
                let outcome = try await store.recordLogin(login, consuming: use)
                // A refused login has not used up the challenge.
                let again = try await store.recordLogin(login, consuming: use)
                #expect(again == (outcome == .loggedIn ? .challengeUsed : outcome))
                return outcome
            }
            #expect(try await logIn(pin.device, pin.id) == .loggedIn)
            #expect(try await logIn(phone, without) == .pinNotEnrolled)
            #expect(try await logIn(phone, without, limit: nil) == .loggedIn)
            for _ in 1...10 { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1) }
            #expect(try await logIn(pin.device, pin.id) == .loggedIn)
            try await TestTime.after(.seconds(601)) {
                // The keys are due to be destroyed, but no purge has run yet.
                let due = try await logIn(pin.device, pin.id)
                #expect(due == .pinNotEnrolled)
                let raised = try await logIn(pin.device, pin.id, limit: 11)
                #expect(raised == .loggedIn)
            }
            _ = try await store.revoke(pin.id, of: pin.user)
            #expect(try await logIn(pin.device, pin.id) == .deviceStopped(.revoked))
            #expect(try await logIn(phone, .random()) == .noSuchDevice)
        },
    ]
}
