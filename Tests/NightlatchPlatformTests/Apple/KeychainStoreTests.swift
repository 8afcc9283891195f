import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Keychain store over a model of the Keychain")
struct KeychainStoreTests {
    private let record = StoredRecord(revision: 1, bytes: Array("record".utf8))
    private let next = StoredRecord(revision: 2, bytes: Array("next".utf8))

    private func store(
        _ model: KeychainModel,
        account: String = "vault",
        accessGroup: String? = nil,
        accessibility: KeychainStore.Accessibility = .whenUnlocked
    ) -> KeychainStore {
        KeychainStore(
            service: "app", account: account, accessGroup: accessGroup, accessibility: accessibility, calls: model.calls
        )
    }

    private enum Verb: CaseIterable {
        case read, add, update, remove, erase
    }

    private func perform(_ verb: Verb, on store: KeychainStore) async throws(StoreError) {
        switch verb {
        case .read: _ = try await store.read()
        case .add: try await store.replace(next, expecting: nil)
        case .update: try await store.replace(next, expecting: 1)
        case .remove: try await store.remove(expecting: 1)
        case .erase: try await store.erase()
        }
    }

    @Test(
        "The store passes every store conformance check",
        arguments: SecureStoreConformance.allCases, KeychainModel.System.allCases)
    func conformance(promise: SecureStoreConformance, system: KeychainModel.System) async throws {
        let model = KeychainModel(system)
        try await promise.check { store(model) }
    }

    @Test(
        "The item is readable on this device only, while it is unlocked, or under a stricter rule",
        arguments: KeychainModel.System.allCases)
    func accessibility(system: KeychainModel.System) async throws {
        let model = KeychainModel(system)
        try await store(model).replace(record, expecting: nil)
        #expect(model.items.map(\.accessible) == [.attrAccessibleWhenUnlockedThisDeviceOnly])
        // Another setting takes effect at the next write.
        let stricter = store(model, accessibility: .whenPasscodeSet)
        #expect(try await stricter.read() == record)
        try await stricter.replace(next, expecting: 1)
        #expect(model.items.map(\.accessible) == [.attrAccessibleWhenPasscodeSetThisDeviceOnly])
        #expect(store(model).guarantees.isDeviceBound)
    }

    @Test("On a locked device every read and write is unavailable, and changes nothing")
    func locked() async throws {
        let model = KeychainModel()
        let store = store(model)
        try await store.replace(record, expecting: nil)
        model.setLocked(true)
        let later = StoreError(.unavailable)
        await #expect(throws: later) { try await store.read() }
        await #expect(throws: later) { try await store.replace(next, expecting: 1) }
        await #expect(throws: later) { try await self.store(model, account: "other").replace(record, expecting: nil) }
        model.setLocked(false)
        #expect(try await store.read() == record)
        #expect(model.items.count == 1)
    }

    @Test("An access group without an entitlement is refused, with its status")
    func entitlement() async throws {
        let model = KeychainModel()
        let store = store(model, accessGroup: "group.example")
        for verb in Verb.allCases {
            do throws(StoreError) {
                try await perform(verb, on: store)
                Issue.record("it was allowed to \(verb)")
            } catch {
                #expect(error.code == .refused)
                #expect(error.systemStatus == KeychainStatus.missingEntitlement.rawValue)
            }
        }
        model.entitle("group.example")
        try await store.replace(record, expecting: nil)
        #expect(model.items.map(\.group) == ["group.example"])
    }

    @Test("Different accounts or access groups are different items")
    func places() async throws {
        let model = KeychainModel()
        model.entitle("group.example")
        let stores = [
            store(model, account: "a", accessGroup: "own"), store(model, account: "b", accessGroup: "own"),
            store(model, account: "a", accessGroup: "group.example"),
        ]
        for (index, store) in stores.enumerated() {
            try await store.replace(StoredRecord(revision: 1, bytes: [UInt8(index)]), expecting: nil)
        }
        try await stores[0].erase()
        #expect(try await stores[0].read() == nil)
        #expect(try await stores[1].read()?.bytes == [1])
        #expect(try await stores[2].read()?.bytes == [2])
    }

    @Test("Removing the passcode deletes a record that needs it, and then no such record can be written")
    func passcode() async throws {
        let model = KeychainModel()
        let store = store(model, accessibility: .whenPasscodeSet)
        try await store.replace(record, expecting: nil)
        model.removePasscode()
        #expect(try await store.read() == nil)
        await #expect(throws: StoreError(.refused)) { try await store.replace(record, expecting: nil) }
    }

    private static let refusals: [(KeychainStatus, StoreError.Code)] = [
        (.interactionNotAllowed, .unavailable), (.interactionRequired, .unavailable), (.inDarkWake, .unavailable),
        (.notAvailable, .unavailable), (.userCanceled, .unavailable), (.io, .unavailable), (.allocate, .unavailable),
        (.diskFull, .full), (.dataTooLarge, .full), (.missingEntitlement, .refused), (.authFailed, .refused),
        (.readOnly, .refused), (.parameter, .refused), (.unimplemented, .refused), (.wrongVersion, .newerFormat),
        (KeychainStatus(rawValue: -77777), .unavailable),
    ]

    @Test("Every verb reports each status with its own error and its number", arguments: refusals)
    func statuses(status: KeychainStatus, code: StoreError.Code) async throws {
        let model = KeychainModel()
        let store = store(model)
        try await store.replace(record, expecting: nil)
        for verb in Verb.allCases {
            model.fail(.before(status))
            do throws(StoreError) {
                try await perform(verb, on: store)
                Issue.record("\(status) was taken for success by \(verb)")
            } catch {
                #expect(error.code == code)
                #expect(error.systemStatus == status.rawValue)
            }
        }
        #expect(try await store.read() == record)
    }

    @Test("An item that cannot be decrypted is corrupt for a read, and refused for a write")
    func decode() async throws {
        let model = KeychainModel()
        let store = store(model)
        try await store.replace(record, expecting: nil)
        model.fail(.before(.decode), .before(.decode))
        await #expect(throws: StoreError(.corrupt)) { try await store.read() }
        await #expect(throws: StoreError(.refused)) { try await store.replace(next, expecting: 1) }
    }

    @Test(
        "After a write whose answer was lost, the record is the old one or the new one, complete",
        arguments: [true, false])
    func lostAnswer(wasDone: Bool) async throws {
        let model = KeychainModel()
        let store = store(model)
        try await store.replace(record, expecting: nil)
        model.fail(wasDone ? .after(.io) : .before(.io))
        await #expect(throws: StoreError(.unavailable)) { try await store.replace(next, expecting: 1) }
        #expect(try await store.read() == (wasDone ? next : record))
        // A caller that reads again and repeats its decision succeeds.
        let revision = try #require(try await store.read()?.revision)
        try await store.replace(StoredRecord(revision: 3, bytes: [3]), expecting: revision)
        #expect(try await store.read()?.bytes == [3])
    }

    @Test("Each verb is one call to the Keychain, so no write is partial; absence is checked twice")
    func oneCall() async throws {
        let model = KeychainModel()
        let store = store(model)
        try await store.replace(record, expecting: nil)
        try await store.replace(next, expecting: 1)
        _ = try await store.read()
        try await store.remove(expecting: 2)
        try await store.erase()
        #expect(model.callCount == 6)
        #expect(try await store.read() == nil)
        #expect(model.callCount == 8)
    }

    @Test("A single errSecItemNotFound does not mean absence, for a read or an erasure")
    func wrongAbsence() async throws {
        let model = KeychainModel()
        let store = store(model)
        try await store.replace(record, expecting: nil)
        model.fail(.before(.itemNotFound))
        await #expect(throws: StoreError(.unavailable)) { try await store.read() }
        model.fail(.before(.itemNotFound))
        await #expect(throws: StoreError(.unavailable)) { try await store.erase() }
        #expect(try await store.read() == record)
        try await store.erase()
        #expect(model.items.isEmpty)
    }

    @Test("A damaged, truncated or exchanged value is corrupt, and can be erased")
    func damaged() async throws {
        let model = KeychainModel()
        let store = store(model)
        try await store.replace(record, expecting: nil)
        let good = try #require(model.items.first)
        let headerByteCount = 12
        for index in 0..<headerByteCount {
            model.plant { $0[0].value[index] ^= 0x80 }
            await #expect(throws: StoreError(.corrupt), "byte \(index)") { try await store.read() }
            model.plant { $0 = [good] }
        }
        for count in 0..<headerByteCount {
            model.plant { $0[0].value = Array(good.value.prefix(count)) }
            await #expect(throws: StoreError(.corrupt), "\(count) bytes") { try await store.read() }
        }
        for generic in [nil, [], [0, 0, 0, 0, 0, 0, 0, 2], Array("1".utf8)] as [[UInt8]?] {
            model.plant { $0 = [good] }
            model.plant { $0[0].generic = generic }
            await #expect(throws: StoreError(.corrupt)) { try await store.read() }
        }
        try await store.erase()
        #expect(model.items.isEmpty)
    }

    @Test(
        "A record of a later version is reported as a newer format, and stays as it is",
        arguments: Array("23456789".utf8))
    func laterVersion(version: UInt8) async throws {
        let model = KeychainModel()
        let store = store(model)
        try await store.replace(record, expecting: nil)
        model.plant { $0[0].value[3] = version }
        let planted = model.items
        await #expect(throws: StoreError(.newerFormat)) { try await store.read() }
        #expect(model.items == planted)
    }

    @Test("Every revision is kept, including the greatest", arguments: [0, 1, 255, 256, UInt64.max / 2, .max])
    func revisions(revision: UInt64) async throws {
        let model = KeychainModel()
        let store = store(model)
        let kept = StoredRecord(revision: revision, bytes: [1])
        try await store.replace(kept, expecting: nil)
        #expect(try await store.read() == kept)
        try await store.replace(next, expecting: revision)
        #expect(try await store.read() == next)
    }
}
