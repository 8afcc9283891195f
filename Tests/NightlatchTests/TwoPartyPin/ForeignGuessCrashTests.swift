import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// An attacker with the device's image has guessed before the owner unlocks, and a crash or loss happens during the
/// unlock.
@Suite("Crash matrix of an unlock after foreign guesses")
struct ForeignGuessCrashTests {
    @Test(
        "After a crash at any write the next unlock opens, reports foreign guesses, and makes the image useless",
        arguments: [1, 7, 8, 9])
    func device(foreign: Int) async throws {
        let rehearsal = try await scene(foreign)
        try await rehearsal.vault().unlock(TestPin.right)
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            guard point.fault != .torn else { return }
            let phone = try await scene(foreign)
            phone.store.fail(at: point.call, point.fault)
            let open = try? await phone.vault().unlock(TestPin.right)
            phone.store.repair()
            try await check(phone, foreign, told: open?.foreignGuesses, "\(foreign) foreign guesses, crash \(point)")
        }
        #expect(points > 0)
    }

    @Test(
        "After any lost message the next unlock opens, reports foreign guesses, and makes the image useless",
        arguments: [1, 7, 8, 9], [true, false])
    func network(foreign: Int, isLasting: Bool) async throws {
        let rehearsal = try await scene(foreign)
        try await rehearsal.vault().unlock(TestPin.right)
        let calls = rehearsal.hardener.callCount
        #expect(calls >= 4)
        for call in 0..<calls {
            for fault in MemoryPinHardener.Fault.allCases {
                let phone = try await scene(foreign)
                phone.hardener.fail(at: call, fault, isLasting: isLasting)
                let open = try? await phone.vault().unlock(TestPin.right)
                phone.hardener.repair()
                let situation: Comment =
                    "\(foreign) foreign guesses, lost \(fault) of call \(call), lasting: \(isLasting)"
                try await check(phone, foreign, told: open?.foreignGuesses, situation)
                if !isLasting, call > 0 {
                    // A single loss, once the PIN was found right, uses up no guess.
                    #expect(phone.hardener.standing(of: phone.device)?.triesLeft != 0, situation)
                }
            }
        }
    }

    @Test("The last guess is proved before the device writes its result")
    func lastTryIsProvedFirst() async throws {
        let ready = try await scene(9)
        let window = ready.hardener.standing(of: ready.device)?.window
        let rehearsal = try await ready.copy()
        try await rehearsal.vault().unlock(TestPin.right)
        var notedCount = 0
        for call in 0..<rehearsal.store.callCount {
            let phone = try await ready.copy()
            phone.store.fail(at: call, .before)
            _ = try? await phone.vault().unlock(TestPin.right)
            phone.store.repair()
            // Once foreign guesses are on disk, the proof has been sent, whatever happens to the device later.
            guard try await phone.store.json()["guesses", "foreign"] != nil else { continue }
            notedCount += 1
            #expect(phone.hardener.standing(of: phone.device)?.window != window, "crash at call \(call)")
        }
        #expect(notedCount > 0)
    }

    private func scene(_ foreign: Int) async throws -> HardenedPhone {
        let phone = try await HardenedPhone()
        for _ in 0..<foreign {
            let thief = phone.vault(in: try await phone.image(), phone.hardener)
            await #expect(throws: UnlockError.self) { try await thief.unlock(TestPin.wrong) }
        }
        #expect(phone.hardener.standing(of: phone.device)?.triesLeft == 10 - foreign)
        phone.store.repair()
        phone.hardener.repair()
        return phone
    }

    private func check(
        _ phone: HardenedPhone,
        _ foreign: Int,
        told: ForeignGuesses?,
        _ situation: Comment
    ) async throws {
        if foreign == 9, phone.hardener.standing(of: phone.device)?.triesLeft == 0 {
            // Either the owner's guess was the last, and its proof was lost; or the candidate's guess was the last, and
            // its promotion was lost. As after a wrong PIN, the keys are destroyed.
            await #expect(throws: UnlockError.refused(.blocked(.newCredentials)), situation) {
                try await phone.vault().unlock(TestPin.right)
            }
            return
        }
        let open = try await phone.vault().unlock(TestPin.right)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets, situation)
        #expect((told ?? open.foreignGuesses)?.count ?? 0 >= foreign, situation)
        #expect(phone.hardener.standing(of: phone.device)?.epoch != .first, situation)
        let again = try await phone.vault().unlock(TestPin.right)
        #expect(again.foreignGuesses == nil, situation)
        #expect(phone.hardener.standing(of: phone.device)?.triesLeft == 10, situation)
    }
}
