import Nightlatch
import NightlatchTesting
import Testing

@Suite("Concurrent use of a vault")
struct VaultConcurrencyTests {
    @Test("Two open vaults that write at the same time lose nothing", arguments: StoreKind.allCases)
    func writers(kind: StoreKind) async throws {
        let place = kind.make()
        let opened = [
            try await Vault.forTests(place.store).create(TestPin.right),
            try await Vault.forTests(place.store).unlock(TestPin.right),
        ]
        try await withThrowingTaskGroup { group in
            for (writer, open) in opened.enumerated() {
                for number in 0..<20 {
                    group.addTask { try await open.set("\(writer) \(number)", named: "secret-\(writer)-\(number)") }
                }
            }
            try await group.waitForAll()
        }
        let expected = (0..<2).flatMap { writer in
            (0..<20).map { ("secret-\(writer)-\($0)", "\(writer) \($0)") }
        }
        #expect(try await opened[0].texts() == Dictionary(uniqueKeysWithValues: expected))
        #expect(try await opened[1].names().count == 40)
    }

    @Test(
        "Of 1,000 concurrent wrong attempts against a limit of five exactly five are tested",
        arguments: StoreKind.allCases)
    func guesses(kind: StoreKind) async throws {
        let place = kind.make()
        let store = RecordingStore(place.store)
        let policy = try LockoutPolicy(firstWaitAfter: 5, waits: [.seconds(1)], limit: 5)
        try await Vault.forTests(store, policy: policy).create(TestPin.right)
        let refusals = await withTaskGroup(of: UnlockError?.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    do {
                        try await Vault.forTests(store, policy: policy).unlock(TestPin.wrong)
                        return nil
                    } catch {
                        return error as? UnlockError
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // Four attempts get different numbers of attempts left; the fifth and all untested ones find the PIN blocked.
        let told = refusals.filter { $0 != .refused(.blocked(.newCredentials)) }
        #expect(told.count == 4)
        #expect(Set(told) == Set((1...4).map { .refused(.wrong(triesLeft: $0, wait: nil)) }))
        let failures = try store.written.map { try #require(try JSONTree($0)["ledger", "failures"]?.number) }
        #expect(failures == [0, 1, 2, 3, 4, 5, 5], "what was written, the removal of the slot last")
        #expect(try await !store.hasPinSlot())
    }

    @Test("Under Argon2id, too, of 200 concurrent wrong attempts against a limit of five exactly five are tested")
    func guesses() async throws {
        let policy = try LockoutPolicy(firstWaitAfter: 5, waits: [.seconds(1)], limit: 5)
        let parameters = KeyDerivationParameters.argon2id(memoryKibibytes: 1024, passes: 1, lanes: 1)
        let store = MemoryStore()
        let vault = Vault.forTests(store, policy: policy, keyDerivation: parameters)
        try await vault.create(TestPin.right)
        let told = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    do {
                        try await vault.unlock(TestPin.wrong)
                    } catch UnlockError.refused(.wrong(let triesLeft, wait: _)) {
                        return triesLeft
                    } catch {}
                    return nil
                }
            }
            return await group.reduce(into: [Int]()) { all, left in all += left.map { [$0] } ?? [] }
        }
        #expect(told.sorted() == [1, 2, 3, 4])
        #expect(try await vault.state() == .blocked(.newCredentials))
    }

    @Test("The right PIN opens among wrong ones, and only it clears failures", arguments: StoreKind.allCases)
    func rightAmongWrong(kind: StoreKind) async throws {
        let place = kind.make()
        let store = RecordingStore(place.store)
        let policy = try LockoutPolicy(firstWaitAfter: 100, waits: [.seconds(1)], limit: 100)
        let vault = Vault.forTests(store, policy: policy)
        try await vault.create(TestPin.right).set("seed", named: "wallet")
        let opened = await attempts(at: vault, wrong: 60, right: 5)
        #expect(opened == 5)
        #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
        try expectHonestCount(store.written, wrong: 60, right: 6, limit: 100)
    }

    @Test(
        "Near the limit the right PIN opens or finds the PIN blocked, and each unlock allows the limit once more",
        arguments: 0..<20)
    func rightOrEnd(round: Int) async throws {
        let store = RecordingStore(MemoryStore())
        let policy = try LockoutPolicy(firstWaitAfter: 5, waits: [.seconds(1)], limit: 5)
        let vault = Vault.forTests(store, policy: policy)
        try await vault.create(TestPin.right)
        let opened = await attempts(at: vault, wrong: 40, right: 1)
        let failures = try expectHonestCount(store.written, wrong: 40, right: 1, limit: 5)
        // Each unlock allows five more attempts.
        #expect(failures <= 5 * (opened + 1))
        // If the right PIN was the fifth attempt, all others that came during its test were refused, and then it
        // cleared the count.
        if opened == 0 { #expect(try await vault.state() == .blocked(.newCredentials)) }
    }

    /// - Returns: The number of attempts that opened the vault.
    private func attempts(at vault: Vault, wrong: Int, right: Int) async -> Int {
        let pins = (Array(repeating: TestPin.wrong, count: wrong) + Array(repeating: TestPin.right, count: right))
            .shuffled()
        return await withTaskGroup(of: Bool.self) { group in
            for pin in pins {
                group.addTask { (try? await vault.unlock(pin)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
    }

    /// Checks every written record: the count increases by one, or an unlock resets it to zero.
    ///
    /// - Returns: The number of charged attempts.
    @discardableResult
    private func expectHonestCount(_ written: [StoredRecord], wrong: Int, right: Int, limit: Int) throws -> Int {
        let counts = try written.map { try #require(try JSONTree($0)["ledger", "failures"]?.number) }
        var (charges, openings) = (0, 0)
        for (before, after) in zip(counts, counts.dropFirst()) {
            switch after {
            case before + 1: charges += 1
            case 0: openings += before > 0 ? 1 : 0
            default: #expect(after == before)
            }
            #expect(after <= limit)
        }
        #expect(openings <= right)
        #expect(charges <= wrong + right * 2)
        return charges
    }
}
