import Nightlatch
import NightlatchTesting
import Testing

@Suite("Memory store")
struct MemoryStoreTests {
    @Test("The store passes every store conformance check", arguments: SecureStoreConformance.allCases)
    func conformance(promise: SecureStoreConformance) async throws {
        let store = MemoryStore()
        try await promise.check { store }
    }

    @Test("A planted record replaces any other")
    func plant() async throws {
        let store = MemoryStore()
        let planted = StoredRecord(revision: 9, bytes: [9])
        store.plant(planted)
        #expect(try await store.read() == planted)
        store.plant(nil)
        #expect(try await store.read() == nil)
    }
}
