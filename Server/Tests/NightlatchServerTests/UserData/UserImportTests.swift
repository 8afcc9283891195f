import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Files of users to import")
struct UserImportTests {
    private static let hash = "$2b$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK"

    private static func line(_ user: String) -> String { #"{"user":"\#(user)","password_hash":"\#(hash)"}"# }

    /// Imports lines, and returns the findings.
    private static func run(
        _ lines: [String], mode: UserImportMode = .create, into store: any RelyingPartyStore
    ) async throws -> (work: UserImport, findings: [UserImport.Finding]) {
        var work = UserImport(into: store, mode: mode)
        var findings: [UserImport.Finding] = []
        for (index, line) in lines.enumerated() {
            findings += try await work.add(Array(line.utf8), number: index + 1)
        }
        findings += try await work.finish()
        return (work, findings)
    }

    @Test("A line has a user, and optionally a hash and a profile")
    func members() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let profile = #"{"name":"Alice Ó","email":"alice@example.com","email_verified":true}"#
        let lines = [
            #"{"user":"alice","password_hash":"\#(Self.hash)","profile":\#(profile)}"#,
            #" {"profile":{},"user":"bob"}"# + "\r",
            #"{"user":"carol","password_hash":null,"profile":null}"#,
        ]
        let (work, findings) = try await Self.run(lines, into: store)
        #expect(findings.isEmpty && work.counts == [.created: 3] && !work.hasFindings && work.lastLine == 3)
        let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
        #expect(try await store.chargePasswordAttempt(of: alice)?.imported?.text == Self.hash)
        #expect(try await store.profile(of: alice)?.profile.email?.isVerified == true)
        #expect(try await store.user(bob)?.hasPassword == false)
        #expect(try await store.profile(of: bob) == nil)
    }

    @Test(
        "A line that is no user is refused with its number, the rule and no value, and the other lines are imported",
        arguments: [
            ("", "malformed"), ("null", "object"), ("[]", "object"), ("{", "malformed"), ("{}", "user is missing"),
            (#"{"user":1}"#, "user must be a string"), (#"{"user":""}"#, "user"),
            (#"{"user":"a","user":"b"}"#, "more than once"),
            (#"{"user":"a","pasword_hash":"x"}"#, "only have the members"),
            (#"{"user":"a","password_hash":"hunter2"}"#, "password_hash must be a hash of"),
            (#"{"user":"a","password_hash":7}"#, "password_hash must be a string"),
            (#"{"user":"a","password_hash":""}"#, "password_hash must be a hash of"),
            (#"{"user":"a","profile":{"nick":"A"}}"#, "only have these members in profile: email,"),
            (#"{"user":"a","profile":[]}"#, "profile"), (#"{"user":"a","profile":{"email":"x"}}"#, "profile.email"),
            (#"{"user":"a","profile":{"email_verified":true}}"#, "profile.email_verified"),
            (#"{"user":"a"} {"user":"b"}"#, "malformed"), (#"{"user":"a","profile":{"name":{"x":{"y":1}}}}"#, "deep"),
            (#"{"user":"a"}"# + String(repeating: " ", count: UserImport.longestLine), "longer"),
        ])
    func malformed(line: String, words: String) async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        var work = UserImport(into: store, mode: .create)
        #expect(try await work.add(Array(Self.line("bob").utf8), number: 1).isEmpty)
        let bytes = Array(line.utf8)
        let findings = try await work.add(bytes.count > UserImport.longestLine ? nil : bytes, number: 2)
        #expect(findings.map(\.line) == [2] && findings.first?.description.contains(words) == true, "\(findings)")
        #expect(findings.first?.description.contains("hunter2") == false)
        #expect(try await work.finish().isEmpty && work.hasFindings)
        #expect(work.malformedCount == 1 && work.counts == [.created: 1])
        #expect(try await store.users(startingWith: nil, after: nil, limit: 9).map(\.id) == [Fixture.bob()])
    }

    @Test("Lines about users who exist are reported by number across batches, and the others are imported")
    func existing() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let password = StoredPassword(
            hash: .init(repeating: 1, count: 32), salt: .init(repeating: 1, count: 16), memoryKibibytes: 8, passes: 1,
            lanes: 1)
        for name in ["user7", "user250"] {
            try await store.setPassword(password, of: try #require(UserID(rawValue: name)))
        }
        let lines = (1...260).map { Self.line("user\($0)") }
        let check = try await Self.run(lines, mode: .checkCreate, into: store)
        #expect(check.findings.map(\.line) == [7, 250] && check.work.counts == [.created: 258, .exists: 2])
        let (work, findings) = try await Self.run(lines, into: store)
        #expect(findings == check.findings && work.counts == check.work.counts)
        #expect(work.hasFindings && work.lastLine == 260)
        let again = try await Self.run(lines, into: store)
        #expect(again.work.counts == [.unchanged: 258, .exists: 2])
        let replaced = try await Self.run(lines, mode: .replace, into: store)
        #expect(replaced.work.counts == [.unchanged: 258, .passwordKept: 2] && replaced.work.hasFindings)
        #expect(replaced.findings.map(\.line) == [7, 250])
        #expect(replaced.findings.first?.description.contains("keeps it") == true)
    }

    @Test("A store that fails ends the import, and a repeated import finishes it")
    func failure() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let broken = BrokenStore(reading: store, failure: RelyingPartyStoreError(.unavailable))
        let lines = (1...150).map { Self.line("user\($0)") }
        await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await Self.run(lines, into: broken) }
        _ = try await Self.run(Array(lines[..<120]), into: store)
        let (work, findings) = try await Self.run(lines, into: store)
        #expect(findings.isEmpty && work.counts == [.unchanged: 120, .created: 30])
    }
}
