import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about enrolment codes for two-party PINs that every store keeps.
package enum PinCodeConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement(
            "After the first epoch, the device key opens no other one without a new enrolment code of its user"
        ) { store in
            let pin = try await PinSteps.enrolled(in: store)
            let device = try pin.device.key.id
            #expect(try await pin.refusal(pin.opening(2), by: device) == .codeRequired)
            let bobs = try await store.newCode(for: Fixture.bob())
            for code in [bobs, Fixture.hash()] {
                #expect(try await pin.refusal(pin.opening(2, code: code), by: device) == .codeRefused)
            }
            let code = try await store.newCode(for: pin.user)
            #expect(try await pin.refusal(pin.opening(3, code: code), by: device) == .epochPassed)
            try await pin.open(2, by: device, code: code)
            try await pin.open(2, by: device)
            #expect(try await pin.refusal(pin.opening(3), by: pin.knowledge) == .candidateOpen)
            let thief = TestDevice()
            let outcome = try await store.bind(
                thief.binding(user: pin.user, code: code), consuming: Fixture.use())
            #expect(outcome == .codeRefused, "The code is used up.")
            // Until the candidate is promoted, its code may open another candidate, which replaces it. This restores no
            // guesses.
            let first = try await pin.charged(PinSteps.element(), epoch: 2, window: 1)
            try await pin.open(3, by: device, code: code)
            #expect(try await store.pinHardening(of: pin.id).guesses.map(\.id) == [first.id])
            let guess = try await pin.charged(PinSteps.element(), epoch: 3, window: 1)
            let promotion = PinSteps.promotion(guess.id, epoch: 3, window: 1, key: .random())
            guard case .cleared = try await pin.take(.promote(promotion), by: device) else {
                throw StepFailed(outcome: "not promoted")
            }
            #expect(try await store.pinHardening(of: pin.id).current?.epoch == PinSteps.epoch(3))
            #expect(try await pin.refusal(pin.opening(4, code: code), by: device) == .codeRefused)
        },

        StoreRequirement(
            "A code whose candidate took the last guess and was not promoted opens another candidate with guesses"
        ) { store in
            let pin = try await PinSteps.enrolled(in: store)
            let device = try pin.device.key.id
            for _ in 0..<9 { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1) }
            let code = try await store.newCode(for: pin.user)
            try await pin.open(2, by: device, code: code)
            #expect(try await pin.charged(PinSteps.element(), epoch: 2, window: 1).triesLeft == 0)
            // The promotion is not received. Opening another candidate restores no guess; it destroys the keys that the
            // guesses were for.
            try await pin.open(3, by: device, code: code)
            #expect(try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 2)) == .epochPassed)
            let guess = try await pin.charged(PinSteps.element(), epoch: 3, window: 2)
            #expect(guess.triesLeft == 9)
            let promotion = PinSteps.promotion(guess.id, epoch: 3, window: 2, key: .random())
            guard case .cleared = try await pin.take(.promote(promotion), by: device) else {
                throw StepFailed(outcome: "not promoted")
            }
            #expect(try await store.pinHardening(of: pin.id).current?.epoch == PinSteps.epoch(3))
        },

        StoreRequirement("A code that has bound the device, or that has expired, opens no epoch") { store in
            let pin = try await PinSteps.enrolled(in: store)
            let device = try pin.device.key.id
            let code = try await store.newCode(for: pin.user)
            // The code binds the same device again, so a repeated binding would still be accepted with this code.
            let outcome = try await store.bind(
                pin.device.binding(user: pin.user, code: code), consuming: Fixture.use())
            #expect(outcome == .bound(pin.id))
            #expect(try await store.user(enrolledBy: code, deviceKey: device) == pin.user)
            #expect(try await pin.refusal(pin.opening(2, code: code), by: device) == .codeRefused)
            let late = try await store.newCode(for: pin.user)
            try await TestTime.after(.seconds(601)) {
                let refusal = try await pin.refusal(pin.opening(2, code: late), by: device)
                #expect(refusal == .codeRefused)
            }
            #expect(try await store.pinHardening(of: pin.id).candidate == nil)
            // The code was refused because it had expired, so it is still unused.
            try await pin.open(2, by: device, code: late)
        },

        StoreRequirement("Of many openings at once with one code, one succeeds") { store in
            let (first, second) = (try await PinSteps.enrolled(in: store), try await PinSteps.enrolled(in: store))
            let code = try await store.newCode(for: first.user)
            let outcomes = try await withThrowingTaskGroup(of: PinStepOutcome.self) { group in
                for number in 0..<20 {
                    let pin = number % 2 == 0 ? first : second
                    group.addTask { try await pin.take(pin.opening(2, code: code), by: pin.device.key.id) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let refused = outcomes.count { if case .refused(.codeRefused, _) = $0 { true } else { false } }
            #expect(refused == 10, "All of one device's.")
        },
    ]
}
