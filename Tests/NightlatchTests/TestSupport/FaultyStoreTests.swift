import Nightlatch
import NightlatchTesting
import Testing

@Suite("Faulty store")
struct FaultyStoreTests {
    private let first = StoredRecord(revision: 1, bytes: [1])
    private let second = StoredRecord(revision: 2, bytes: [2])

    @Test("After a fault before a call its work is not done, and every later call fails until the repair")
    func before() async throws {
        let base = MemoryStore()
        let store = FaultyStore(base)
        try await store.replace(first, expecting: nil)
        store.fail(at: 1, .before)
        #expect(try await store.read() == first)
        await #expect(throws: StoreError(.unavailable)) { try await store.replace(second, expecting: 1) }
        await #expect(throws: StoreError(.unavailable)) { try await store.read() }
        await #expect(throws: StoreError(.unavailable)) { try await store.remove(expecting: 1) }
        await #expect(throws: StoreError(.unavailable)) { try await store.erase() }
        #expect(try await base.read() == first)
        store.repair()
        #expect(try await store.read() == first)
    }

    @Test("After a fault behind a call its work is done, but the caller gets an error")
    func after() async throws {
        let base = MemoryStore()
        let store = FaultyStore(base)
        store.fail(at: 0, .after)
        await #expect(throws: StoreError(.unavailable)) { try await store.replace(first, expecting: nil) }
        #expect(try await base.read() == first)
        await #expect(throws: StoreError(.unavailable)) { try await store.replace(second, expecting: 1) }
        #expect(try await base.read() == first)
    }

    @Test("A torn write leaves a part of the new record beside the old one")
    func torn() async throws {
        let base = MemoryStore()
        let pieces = MemoryStore()
        let store = FaultyStore(base) { pieces.plant(StoredRecord(revision: $0.revision, bytes: [])) }
        store.fail(at: 0, .torn)
        await #expect(throws: StoreError(.unavailable)) { try await store.replace(first, expecting: nil) }
        #expect(try await base.read() == nil)
        #expect(try await pieces.read()?.revision == 1)
        await #expect(throws: StoreError(.unavailable)) { try await store.replace(second, expecting: nil) }
        #expect(try await pieces.read()?.revision == 1)
    }

    @Test("Errors of the base store are passed on")
    func errors() async throws {
        let store = FaultyStore(MemoryStore())
        await #expect(throws: StoreError(.conflict)) { try await store.replace(second, expecting: 1) }
    }

    @Test("Calls are counted from the last repair")
    func count() async throws {
        let store = FaultyStore(MemoryStore())
        _ = try await store.read()
        _ = try await store.read()
        #expect(store.callCount == 2)
        store.repair()
        #expect(store.callCount == 0)
    }

    @Test("Stores that fail together count together and fail at the same time")
    func together() async throws {
        let store = FaultyStore(MemoryStore())
        let other = FaultyStore(MemoryStore(), failingWith: store)
        store.fail(at: 1, .before)
        _ = try await other.read()
        await #expect(throws: StoreError(.unavailable)) { try await store.read() }
        await #expect(throws: StoreError(.unavailable)) { try await other.read() }
        store.repair()
        _ = try await other.read()
        #expect(store.callCount == 1)
    }
}
