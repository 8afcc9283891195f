import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Somebody with the device's image has guessed before the owner comes, and something fails while the owner unlocks.
@Suite("Crash matrix of an unlock after foreign guesses")
struct ForeignGuessCrashTests {
    @Test(
        "After a crash at any write the next unlock opens, tells of foreign guesses, and the image is dead",
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
        "After any request or answer is lost the next unlock opens, tells of foreign guesses, and the image is dead",
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
                    // A single loss once the PIN was found right uses nothing up.
                    #expect(phone.hardener.standing(of: phone.device)?.triesLeft != 0, situation)
                }
            }
        }
    }

    @Test("A guess that took the last try is proved before anything else is written down of it")
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
            // Once others' guesses are on disk the proof is sent, whatever the device comes to after that.
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
            // The owner's guess was the last there was, and nobody was told that it was right; or it was, and the candidate's was the last, and
            // nobody was told of the promotion: as after a wrong one, the keys are gone.
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
