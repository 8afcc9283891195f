import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about users that every store keeps.
package enum UserConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("Users are found by the prefix of their ids, page by page, compared byte by byte") { store in
            let names = [
                #"CORP\alice"#, "Zoe", "_x", "al", "alice", "alice+1", "alice:2", "alice\u{301}", "alicf", "auth0|7",
                "bob",
                "z", "zz", "é",
                "山", "\u{1FAFF}",
            ]
            for name in names.shuffled() { _ = try await store.newCode(for: try user(name)) }
            func found(_ prefix: String?, after last: String? = nil, limit: Int = 100) async throws -> [String] {
                try await store.users(
                    startingWith: try prefix.map(user), after: try last.map(user), limit: limit
                ).map(\.id.rawValue)
            }
            #expect(try await found(nil) == names)
            #expect(try await found("alice") == ["alice", "alice+1", "alice:2", "alice\u{301}"])
            #expect(try await found("z") == ["z", "zz"])
            #expect(try await found("é") == ["é"])
            #expect(try await found("CORP\\") == [#"CORP\alice"#])
            #expect(try await found("ALICE").isEmpty)
            #expect(try await found("alice", after: "alice", limit: 1) == ["alice+1"])
            #expect(try await found("alice", after: "aliceXX") == ["alice\u{301}"])
            #expect(try await found(nil, after: "c") == ["z", "zz", "é", "山", "\u{1FAFF}"])
            var all: [String] = []
            // Ends: with the empty page after the last user.
            while true {
                let page = try await found(nil, after: all.last, limit: 3)
                #expect(page.count <= 3)
                if page.isEmpty { break }
                all += page
            }
            #expect(all == names)
        },

        StoreRequirement("Users whose ids are only canonically equivalent are two users") { store in
            let (composed, decomposed) = (try user("Jos\u{E9}"), try user("Jose\u{301}"))
            let phone = try await store.bind(TestDevice(), to: composed)
            #expect(try await store.user(decomposed) == nil)
            #expect(try await store.device(phone, of: decomposed) == nil)
            let tablet = try await store.bind(TestDevice(), to: decomposed)
            #expect(phone != tablet)
            #expect(try await store.users(startingWith: nil, after: nil, limit: 9).map(\.id) == [decomposed, composed])
            #expect(try await store.device(phone, of: composed)?.user == composed)
            #expect(try await store.device(tablet, of: composed) == nil)
        },

        StoreRequirement(
            "A user's summary has the time of creation, whether there is a password, and the numbers of devices"
        ) { store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            #expect(try await store.user(alice) == nil)
            _ = try await store.newCode(for: alice)
            let empty = UserRecord.DeviceCounts(active: 0, blocked: 0, revoked: 0)
            let new = UserRecord(id: alice, createdAt: TestTime.current, hasPassword: false, devices: empty)
            #expect(try await store.user(alice) == new)
            try await TestTime.after(.seconds(9)) { () async throws in
                _ = try await store.bind(TestDevice(), to: bob)
                var ids: [DeviceID] = []
                for _ in 0..<6 { ids.append(try await store.bind(TestDevice(), to: alice)) }
                _ = try await store.change(ids[0], of: alice, by: .operator, .block)
                _ = try await store.change(ids[1], of: alice, by: .operator, .block)
                for id in ids[1...3] { _ = try await store.revoke(id, of: alice) }
                try await store.setPassword(
                    StoredPassword(hash: [1], salt: [2], memoryKibibytes: 8, passes: 1, lanes: 1), of: alice)
            }
            let counts = UserRecord.DeviceCounts(active: 2, blocked: 1, revoked: 3)
            let summary = UserRecord(id: alice, createdAt: TestTime.current, hasPassword: true, devices: counts)
            #expect(try await store.user(alice) == summary)
            #expect(try await store.users(startingWith: nil, after: nil, limit: 1) == [summary])
        },
    ]

    private static func user(_ text: String) throws -> UserID { try #require(UserID(rawValue: text)) }
}
