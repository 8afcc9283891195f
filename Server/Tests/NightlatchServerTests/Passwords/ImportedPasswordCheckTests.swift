import Dispatch
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Checks of passwords whose hashes were imported", .timeLimit(.minutes(5)))
struct ImportedPasswordCheckTests {
    private static let cheap = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero)
    private static let text = "$2b$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK"

    private func credentials(_ password: String) throws -> Credentials {
        Credentials(user: try Fixture.alice(), password: try #require(Password(rawValue: password)))
    }

    private func importAlice(_ text: String = text, into store: any RelyingPartyStore) async throws {
        let user = ImportedUser(try Fixture.alice(), passwordHash: try ImportedPasswordHash(text))
        #expect(try await store.importUsers([user], mode: .create, by: .operator) == [.created])
    }

    @Test(
        "The right password replaces the imported hash by one of the server, and then both spellings are right",
        arguments: StoreKind.allCases)
    func raised(kind: StoreKind) async throws {
        try await kind.with { store in
            try await importAlice(into: store)
            let check = PasswordCheck(store: store, hasher: PasswordHasher(Self.cheap), answerTime: .zero)
            await #expect(throws: Refusal.credentialsRefused) {
                try await check.require(credentials("wrong"), from: .backend)
            }
            #expect(try await store.chargePasswordAttempt(of: Fixture.alice())?.imported != nil)
            let right = try credentials("P\u{E4}ssw\u{F6}rd \u{FB01}sh")
            let raised = try await check.require(right, from: .backend)
            #expect(raised.imported == nil && raised.memoryKibibytes == 8)
            #expect(try await check.require(right, from: .backend) == raised)
            // The server's own hash is of the normal form.
            #expect(try await check.require(credentials("P\u{E4}ssw\u{F6}rd fish"), from: .backend) == raised)
        }
    }

    @Test("Wrong passwords for an imported hash are charged and limited like others", arguments: StoreKind.allCases)
    func throttle(kind: StoreKind) async throws {
        try await kind.with { store in
            try await importAlice(into: store)
            let check = PasswordCheck(store: store, hasher: PasswordHasher(Self.cheap), answerTime: .zero)
            for _ in 1...5 {
                await #expect(throws: Refusal.credentialsRefused) {
                    try await check.require(credentials("wrong"), from: .backend)
                }
            }
            await #expect(throws: Refusal.credentialsRefused) {
                try await check.require(credentials("P\u{E4}ssw\u{F6}rd \u{FB01}sh"), from: .backend)
            }
        }
    }

    @Test(
        "A right password is not charged if it could not be tested, and gets the answer of a wrong one",
        arguments: StoreKind.allCases, [ImportedPasswordHash.Check.unsupported, .noMemory])
    func notTested(kind: StoreKind, reason: ImportedPasswordHash.Check) async throws {
        try await kind.with { store in
            try await importAlice(into: store)
            let hasher = PasswordHasher(Self.cheap) { _, _ in reason }
            let failing = PasswordCheck(store: store, hasher: hasher, answerTime: .zero)
            let right = try credentials("P\u{E4}ssw\u{F6}rd \u{FB01}sh")
            // More than the attempts that are allowed without a wait.
            for _ in 1...7 {
                await #expect(throws: Refusal.credentialsRefused) { try await failing.require(right, from: .backend) }
            }
            let check = PasswordCheck(store: store, hasher: PasswordHasher(Self.cheap), answerTime: .zero)
            #expect(try await check.require(right, from: .backend).imported == nil)
        }
    }

    @Test("Right passwords of one user at once are all accepted", arguments: StoreKind.allCases)
    func atOnce(kind: StoreKind) async throws {
        try await kind.with { store in
            try await importAlice(into: store)
            let check = PasswordCheck(store: store, hasher: PasswordHasher(Self.cheap), answerTime: .zero)
            let right = try credentials("P\u{E4}ssw\u{F6}rd \u{FB01}sh")
            let accepted = try await inParallel(4) { try await check.require(right, from: .backend) }
            let stored = try await store.chargePasswordAttempt(of: Fixture.alice())
            #expect(accepted.allSatisfy { $0 == stored } && stored?.imported == nil)
        }
    }

    @Test("A user with a hash of this server does not wait for the check of an imported hash")
    func lines() async throws {
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hasher = PasswordHasher(Self.cheap) { _, _ in
            begun.signal()
            end.wait()
            return .wrong
        }
        let password = try #require(Password(rawValue: "secret"))
        let imported = StoredPassword(importing: try ImportedPasswordHash(Self.text))
        async let slow = hasher.verify(password, against: imported, at: hasher.place(for: .backend))
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                begun.wait()
                continuation.resume()
            }
        }
        let place = try hasher.place(for: .backend)
        let own = try await hasher.hash(password, at: place)
        #expect(try await hasher.verify(password, against: own, at: place) == .right)
        end.signal()
        #expect(try await slow == .wrong)
    }

    @Test("A password that is longer than bcrypt reads is right, and does not replace the imported hash")
    func long() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await importAlice(into: store)
        let hasher = PasswordHasher(Self.cheap) { _, _ in .right }
        let check = PasswordCheck(store: store, hasher: hasher, answerTime: .zero)
        let long = try await check.require(credentials(String(repeating: "a", count: 73)), from: .backend)
        #expect(long.imported?.text == Self.text)
        let whole = try await check.require(credentials(String(repeating: "a", count: 72)), from: .backend)
        #expect(whole.imported == nil)
    }

    @Test(
        "A damaged imported text is reported as corrupt, and no password is accepted",
        arguments: WatchedStore.Kind.allCases)
    func damaged(kind: WatchedStore.Kind) async throws {
        try await WatchedStore.with(kind) { watched in
            try await importAlice(into: watched.store)
            // The text belongs to the hash, and is none that a release has written.
            let sum =
                switch kind {
                case .sqlite: "X'" + Self.sumOfDamaged + "'"
                case .postgres: "decode('" + Self.sumOfDamaged + "', 'hex')"
                }
            try await watched.run("UPDATE password SET imported = 'damaged', hash = \(sum)")
            await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                try await watched.store.chargePasswordAttempt(of: Fixture.alice())
            }
        }
    }

    /// SHA-256 of the text `damaged`.
    private static let sumOfDamaged = "41f0c27c00e8018f7715b5f50f67b5b54c229c1b843a014152785d9005f58fde"
}
