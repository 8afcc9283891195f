import Nightlatch
import NightlatchTesting
import Testing

/// An attacker has the record and no PIN.
@Suite("Tampering with a vault")
struct VaultTamperingTests {
    private static let secrets = ["wallet": "seed", "token": "one", "empty": ""]

    @Test(
        "If any one member of a record is changed, no wrong PIN opens it and the right one opens no other secrets",
        .timeLimit(.minutes(5)), arguments: [false, true])
    func everyMember(hasUnfinishedChange: Bool) async throws {
        let original = try await original(hasUnfinishedChange: hasUnfinishedChange)
        let tree = try JSONTree(original)
        var changedCount = 0
        for path in tree.paths {
            for value in Self.replacements(for: try #require(tree[path[...]])) {
                var changed = tree
                changed[path[...]] = value
                guard changed != tree else { continue }
                changedCount += 1
                try await expectHarmless(changed, revision: original.revision, "\(path) is \(value.debugDescription)")
                if path == ["revision"], case .unsigned(let revision) = value {
                    try await expectHarmless(changed, revision: revision, "\(path) is \(revision) outside too")
                }
            }
        }
        print("tampering: \(changedCount) changed records, \(tree.paths.count) members")
        #expect(changedCount > 300)
    }

    @Test("No two members of a record can be swapped", .timeLimit(.minutes(5)))
    func everySwap() async throws {
        let original = try await original(hasUnfinishedChange: true)
        let tree = try JSONTree(original)
        let paths = tree.paths
        for (index, first) in paths.enumerated() {
            for second in paths[(index + 1)...] where !second.starts(with: first) {
                var changed = tree
                changed[first[...]] = tree[second[...]]
                changed[second[...]] = tree[first[...]]
                guard changed != tree else { continue }
                try await expectHarmless(changed, revision: original.revision, "\(first) and \(second)")
            }
        }
    }

    @Test("No part of another vault with the same PIN and secrets fits, except the complete sealed part")
    func otherVault() async throws {
        let original = try await original(hasUnfinishedChange: false)
        let (tree, other) = (try JSONTree(original), try JSONTree(try await self.original(hasUnfinishedChange: false)))
        for path in tree.paths where path != ["sealed"] {
            var changed = tree
            changed[path[...]] = other[path[...]]
            guard changed != tree, path.first == "sealed" || path.first == "vault_id" else { continue }
            let error = await error(of: changed, revision: original.revision)
            #expect(error != nil, "\(path)")
        }
        // The complete sealed part also needs the other vault's identity.
        var changed = tree
        changed["sealed"] = other["sealed"]
        #expect(await error(of: changed, revision: original.revision) != nil)
    }

    @Test("Older boxes, lists and slots of the same vault do not fit the present content")
    func rollbackOfParts() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        let open = try await vault.create(TestPin.right)
        try await open.set("old", named: "token")
        let old = try await store.json()
        try await open.set("new", named: "token")
        try await open.set("more", named: "other")
        let new = try await store.json()
        for path in [["items"], ["items", "token"], ["generation"], ["mac"]] {
            let path = ["sealed", "content"] + path
            var changed = new
            changed[path[...]] = old[path[...]]
            try #require(changed != new)
            let error = await error(of: changed, revision: try #require(try await store.read()).revision)
            #expect(error as? UnlockError == .refused(.wrong(triesLeft: 9, wait: nil)), "\(path)")
        }
    }

    private func original(hasUnfinishedChange: Bool) async throws -> StoredRecord {
        let store = FaultyStore(MemoryStore())
        let vault = Vault.forTests(store)
        let open = try await vault.create(TestPin.right)
        for (name, text) in Self.secrets { try await open.set(text, named: name) }
        if hasUnfinishedChange {
            store.fail(at: 4, .after)
            await #expect(throws: ChangePinError.self) { try await vault.changePin(TestPin.right, to: TestPin.new) }
            store.repair()
        }
        await #expect(throws: UnlockError.self) {
            // A charged attempt, so that every member exists.
            store.fail(at: 1, .after)
            try await vault.unlock(TestPin.wrong)
        }
        store.repair()
        return try #require(try await store.read())
    }

    private func expectHarmless(_ tree: JSONTree, revision: UInt64, _ situation: Comment) async throws {
        func vault() -> Vault {
            let store = MemoryStore()
            store.plant(StoredRecord(revision: revision, bytes: tree.bytes))
            return .forTests(store)
        }
        _ = try? await vault().state()
        #expect((try? await vault().unlock(TestPin.wrong)) == nil, situation)
        // An attacker can force the completion of a change that the user began. The result is that of the change.
        for chosen in [TestPin.right, TestPin.new] {
            guard let open = try? await vault().unlock(chosen) else { continue }
            #expect(try await open.texts() == Self.secrets, situation)
        }
        if let open = try? await vault().changePin(TestPin.right, to: TestPin.newest) {
            #expect(try await open.texts() == Self.secrets, situation)
        }
    }

    private func error(of tree: JSONTree, revision: UInt64) async -> (any Error)? {
        let store = MemoryStore()
        store.plant(StoredRecord(revision: revision, bytes: tree.bytes))
        do {
            try await Vault.forTests(store).unlock(TestPin.right)
            return nil
        } catch {
            return error
        }
    }

    /// Values of every kind, near `value` and far from it; nil represents a missing member.
    private static func replacements(for value: JSONTree) -> [JSONTree?] {
        let general: [JSONTree?] = [
            nil, .null, .bool(true), .string(""), .string("A"), .unsigned(0), .unsigned(1), .unsigned(.max),
            .signed(-1),
            .signed(.min), .signed(.max), .fraction(0.5), .array([]), .object([:]), .array([value]),
            .object(["value": value]),
        ]
        switch value {
        case .object(let members): return general + [.object(members.merging(["extra": .null]) { old, _ in old })]
        case .string(let text):
            let flipped = [0, text.count / 2, text.count - 1].map { index in
                String(text.enumerated().map { $0.offset == index ? ($0.element == "A" ? "B" : "A") : $0.element })
            }
            return general
                + (flipped + [String(text.dropLast()), String(text.dropLast(4)), text + text]).map(JSONTree.string)
        case .unsigned(let number): return general + [.unsigned(number &+ 1), .unsigned(number &- 1)]
        default: return general
        }
    }
}
