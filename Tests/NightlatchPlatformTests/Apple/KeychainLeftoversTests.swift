import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Keychain items that a removed app has left")
struct KeychainLeftoversTests {
    private let folder = TemporaryFolder()
    private let record = StoredRecord(revision: 1, bytes: [1])

    private func store(_ model: KeychainModel, service: String = "app", _ account: String) -> KeychainStore {
        KeychainStore(service: service, account: account, calls: model.calls)
    }

    private func leftovers(_ model: KeychainModel) -> KeychainLeftovers {
        KeychainLeftovers(markerPath: folder.file, service: "app", calls: model.calls)
    }

    /// A Keychain after the removal of the app: two items of the app and one of another.
    private func left(_ system: KeychainModel.System) async throws -> KeychainModel {
        let model = KeychainModel(system)
        for store in [store(model, "vault"), store(model, "device-key"), store(model, service: "other", "vault")] {
            try await store.replace(record, expecting: nil)
        }
        return model
    }

    @Test(
        "The first start erases every item of the app and no other; later starts erase nothing",
        arguments: KeychainModel.System.allCases)
    func erase(system: KeychainModel.System) async throws {
        let model = try await left(system)
        #expect(try await leftovers(model).settle(.erase))
        #expect(model.items.map(\.service) == ["other"])
        try await store(model, "vault").replace(record, expecting: nil)
        #expect(try await !leftovers(model).settle(.erase))
        #expect(model.items.count == 2)
    }

    @Test("An app that keeps the leftovers learns only once that it starts for the first time")
    func keep() async throws {
        let model = try await left(.iOS)
        #expect(try await leftovers(model).settle(.keep))
        #expect(try await !leftovers(model).settle(.erase))
        #expect(model.items.count == 3)
    }

    @Test("Without anything to erase, the first start still counts as the first")
    func nothing() async throws {
        #expect(try await leftovers(KeychainModel()).settle(.erase))
        #expect(try await !leftovers(KeychainModel()).settle(.erase))
    }

    @Test("An erasure that failed, or whose answer was lost, is repeated at the next start")
    func failure() async throws {
        let model = try await left(.iOS)
        model.fail(.before(.interactionNotAllowed), .after(.io))
        await #expect(throws: StoreError(.unavailable)) { try await leftovers(model).settle(.erase) }
        await #expect(throws: StoreError(.unavailable)) { try await leftovers(model).settle(.erase) }
        #expect(try await leftovers(model).settle(.erase))
        #expect(model.items.map(\.service) == ["other"])
    }

    @Test("If many processes start at the same time, one is the first, and no process erases another's new items")
    func atOnce() async throws {
        let model = try await left(.iOS)
        let firsts = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let isFirst = try await leftovers(model).settle(.erase)
                    try await store(model, "new-\(index)").replace(record, expecting: nil)
                    return isFirst
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(firsts == 1)
        #expect(model.items.count == 1 + 8)
    }

    @Test("If it is unknown whether the app was installed before, nothing is erased")
    func unreadable() async throws {
        let model = try await left(.iOS)
        try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: true)
        await #expect(throws: StoreError(.refused)) { try await leftovers(model).settle(.erase) }
        #expect(model.items.count == 3)
    }
}
