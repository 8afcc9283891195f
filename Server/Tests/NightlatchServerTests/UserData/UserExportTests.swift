import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The export of a user")
struct UserExportTests {
    private func document(of user: UserID, in store: some RelyingPartyStore) async throws -> [UInt8] {
        try await parts(of: user, in: store).flatMap(\.self)
    }

    private func parts(of user: UserID, in store: some RelyingPartyStore) async throws -> [[UInt8]] {
        let export = try await Administration(of: store, by: .operator).beginExport(of: user, at: TestTime.current)
        return try await export.reduce(into: []) { $0.append($1) }
    }

    private func members(_ document: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any])
    }

    @Test("The document has every record of the user, and is recorded in the audit log")
    func whole() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let person = try await TestPerson(Fixture.alice(), in: store)
        let other = try #require(UserID(rawValue: "another-user"))
        _ = try await TestPerson(other, in: store)
        let document = try await document(of: person.user, in: store)
        let members = try members(document)
        for kind in UserDataKind.allCases {
            let records = try #require(members[kind.rawValue] as? [Any])
            #expect(records.count == person.counts[kind], "\(kind)")
        }
        let audit = try #require(members["audit"] as? [[String: Any]])
        #expect(audit.first?["event"] as? String == "user_exported")
        #expect(audit.allSatisfy { $0["user"] as? String == "alice" })
        #expect(audit.count == (try await store.auditEntries(of: person.user, before: nil, limit: 999).count))
        #expect((members["user"] as? [String: Any])?["id"] as? String == "alice")
        #expect((members["profile"] as? [String: Any])?["email"] as? String == "alice@example.com")
        #expect((members["policy"] as? [String: Any])?["policy"] != nil)
        #expect(members["exported_at"] as? Int == TestTime.current.secondsSince1970)
        let devices = try #require(members["devices"] as? [[String: Any]])
        let active = try #require(devices.first { $0["id"] as? String == person.id.rawValue })
        #expect(active["login"] != nil && (active["pin"] as? [String: Any])?["candidate_epoch"] as? Int == 1)
        #expect(!String(decoding: document, as: UTF8.self).contains(other.rawValue))
    }

    @Test("The document says which form an imported hash has, and not the hash")
    func importedPassword() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        let text = "$pbkdf2$1000$//5zYWx0.w$MaXLYB5v7YYS0eGOG2dxP6Oh.w8"
        let imported = ImportedUser(alice, passwordHash: try ImportedPasswordHash(text))
        _ = try await store.importUsers([imported], mode: .create, by: .operator)
        let document = try await document(of: alice, in: store)
        let passwords = try #require(try members(document)["passwords"] as? [[String: Any]])
        #expect(passwords.map { $0["imported_form"] as? String } == ["pbkdf2"])
        #expect(!String(decoding: document, as: UTF8.self).contains("MaXLYB5v"))
    }

    @Test("The document has no hash of a password, code or token, and no sealed key")
    func noSecrets() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let person = try await TestPerson(Fixture.alice(), in: store)
        let document = String(decoding: try await document(of: person.user, in: store), as: UTF8.self)
        let password = try #require(try await store.chargePasswordAttempt(of: person.user))
        let state = try await store.pinHardening(of: person.id)
        let box = try #require(state.candidate?.key.box)
        let secrets = [
            password.hash, password.salt, person.code.bytes, person.token.hash.bytes, person.token.family.bytes,
            person.session.bytes,
        ]
        for secret in secrets {
            let hexadecimal = secret.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            for text in [Base64URL.encode(secret), Data(secret).base64EncodedString(), hexadecimal] {
                #expect(!document.lowercased().contains(text.lowercased()))
            }
        }
        #expect(!document.contains("\"box\"") && !document.contains("\"\(box)\"") && !document.contains("\"number\""))
    }

    @Test("A document of many pages is complete, and comes in pieces")
    func pages() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        _ = try await store.newCode(for: alice)
        for _ in 0..<450 {
            let outcome = try await store.createTransaction(TestTransaction.new(user: alice, pendingLimit: 1000))
            guard case .created = outcome else { throw StepFailed(outcome: "\(outcome)") }
        }
        let parts = try await parts(of: alice, in: store)
        let document = parts.flatMap(\.self)
        let members = try members(document)
        #expect((members["transactions"] as? [Any])?.count == 450)
        #expect((members["audit"] as? [Any])?.count == 452)
        // Three pages each of transactions and entries, one of each other list, and the end.
        #expect(parts.count == 3 + 3 + UserDataKind.allCases.count - 1 + 1)
        #expect(parts.allSatisfy { $0.count < document.count / 3 })
    }

    @Test("An export during which the user is deleted fails, also if the id has a new user", arguments: [false, true])
    func deletedMeanwhile(isCreatedAgain: Bool) async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let person = try await TestPerson(Fixture.alice(), in: store)
        let export = try await Administration(of: store, by: .operator).beginExport(of: person.user, at: TestTime.current)
        var parts = export.makeAsyncIterator()
        #expect(try await parts.next() != nil)
        let reason = try #require(AuditReason(rawValue: "asked for it"))
        _ = try await store.deleteUser(person.user, by: .operator, because: reason)
        try await TestTime.after(.seconds(1)) {
            if isCreatedAgain { _ = try await store.newCode(for: person.user) }
            var failure: AdministrationError?
            do throws(AdministrationError) {
                // Ends: with the error, or after the last part.
                while try await parts.next() != nil {}
            } catch {
                failure = error
            }
            #expect(failure == .userUnknown)
        }
    }

    @Test("An unknown user is not exported, and nothing is recorded")
    func unknown() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        await #expect(throws: AdministrationError.userUnknown) {
            try await Administration(of: store, by: .operator).beginExport(of: try Fixture.alice(), at: TestTime.current)
        }
        #expect(try await store.auditEntries(of: nil, before: nil, limit: 9).isEmpty)
    }

    @Test("A list whose length is that of a page is complete")
    func wholePage() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        for _ in 0..<200 { _ = try await store.newCode(for: alice) }
        let members = try members(try await document(of: alice, in: store))
        #expect((members["enrolment_codes"] as? [Any])?.count == 200 && (members["audit"] as? [Any])?.count == 201)
    }
}
