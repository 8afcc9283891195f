import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// An attacker has the device's image and controls the owner's network. The attacker guesses before each of the owner's
/// unlocks, and drops any of the owner's requests.
@Suite("An attacker who drops requests")
struct DroppedChangeTests {
    /// Guesses with the image, at most `most` times, until the answer is not a wrong PIN.
    ///
    /// - Returns: The number of tested PINs.
    private func guess(_ most: Int, with image: StoredRecord?, of phone: HardenedPhone) async throws -> Int {
        for count in 0..<most {
            let before = phone.hardener.chargedCount
            let copy = MemoryStore()
            if let image { try await copy.replace(image, expecting: nil) }
            do {
                try await phone.vault(in: copy, phone.hardener).unlock("73916\(count)")
                Issue.record("a guess opened the vault")
            } catch is UnlockError {}
            guard phone.hardener.chargedCount > before else { return count }
        }
        return most
    }

    @Test(
        "An attacker who drops every change of the epoch gets only the limit of guesses, and the owner learns of it",
        arguments: [1, 7, 8, 9, 10], [2, 3, 4])
    func changeDropped(guesses: Int, call: Int) async throws {
        let phone = try await HardenedPhone()
        let image = try await phone.image().read()
        var (total, told) = (0, 0)
        for _ in 1...30 {
            total += try await self.guess(guesses, with: image, of: phone)
            // Evaluate, prove; then open, evaluate, promote.
            phone.hardener.fail(at: call, .request)
            defer { phone.hardener.repair() }
            do {
                let open = try await phone.vault().unlock(TestPin.right)
                #expect(open.foreignGuesses != nil && open.rekeyFailure != nil, "\(total) guesses")
                told = max(told, open.foreignGuesses?.surelyForeign ?? 0)
            } catch UnlockError.refused(.blocked) {
                break
            }
        }
        #expect(phone.hardener.standing(of: phone.device)?.epoch == nil, "They end with the keys, not with the PIN.")
        #expect((1...10).contains(total), "\(total) guesses at one epoch")
        if guesses < 9 { #expect(told >= guesses) }
    }

    @Test("An attacker who drops the owner's guesses gets only the limit of guesses, and the owner learns of it")
    func evaluationsDropped() async throws {
        let phone = try await HardenedPhone()
        let image = try await phone.image().read()
        for _ in 0..<8 {
            phone.hardener.fail(at: 0, .request)
            await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.right) }
        }
        phone.hardener.repair()
        var total = 0
        for _ in 1...30 {
            total += try await guess(8, with: image, of: phone)
            // Evaluate, prove.
            phone.hardener.fail(at: 2, .request)
            defer { phone.hardener.repair() }
            do {
                let open = try await phone.vault().unlock(TestPin.right)
                #expect(open.foreignGuesses.map { $0.count >= total } ?? false && open.rekeyFailure != nil)
            } catch UnlockError.refused(.blocked) {
                break
            }
        }
        #expect(phone.hardener.standing(of: phone.device)?.epoch == nil)
        #expect((8...10).contains(total), "\(total) guesses at one epoch")
    }

    @Test("The right PIN clears any number of the owner's wrong PINs, also after foreign guesses")
    func ownAreCleared() async throws {
        let phone = try await HardenedPhone()
        let image = try await phone.image().read()
        #expect(try await guess(2, with: image, of: phone) == 2)
        for _ in 1...5 {
            for _ in 1...5 {
                await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
                phone.clock.advance(by: .seconds(86_400))
            }
            // Evaluate, prove.
            phone.hardener.fail(at: 2, .request)
            let open = try await phone.vault().unlock(TestPin.right)
            phone.hardener.repair()
            #expect(open.foreignGuesses?.count == 2 && open.foreignGuesses?.surelyForeign == 2)
        }
        #expect(phone.hardener.standing(of: phone.device)?.epoch == .first)
        let open = try await phone.vault().unlock(TestPin.right)
        #expect(open.foreignGuesses?.count == 2 && open.rekeyFailure == nil)
        #expect(phone.hardener.standing(of: phone.device)?.epoch == PinEpoch.first.next)
        #expect(try await phone.vault().unlock(TestPin.right).foreignGuesses == nil)
        #expect(phone.hardener.standing(of: phone.device)?.triesLeft == 10)
    }
}
