import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("A lock file that another process holds")
struct HeldLockTests {
    private let folder = TemporaryFolder()
    private let record = StoredRecord(revision: 1, bytes: [1])

    enum Verb: CaseIterable {
        case replace, remove, erase
    }

    private func perform(_ verb: Verb, on store: FileStore) async throws(StoreError) {
        switch verb {
        case .replace: try await store.replace(StoredRecord(revision: 2, bytes: [2]), expecting: 1)
        case .remove: try await store.remove(expecting: 1)
        case .erase: try await store.erase()
        }
    }

    /// Takes the lock as another process does: with its own descriptor.
    private func hold() throws -> Int32 {
        let descriptor = unsafe open(folder.file + ".lock", O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        try #require(flock(descriptor, LOCK_EX) == 0)
        return descriptor
    }

    @Test("The call ends as unavailable and names the lock; once the lock is free, it works", arguments: Verb.allCases)
    func held(verb: Verb) async throws {
        try await FileStore(path: folder.file).replace(record, expecting: nil)
        let holder = try hold()
        let waited = Shared(Duration.zero)
        let patience = LockPatience(limit: .seconds(10)) { time in waited.withLock { $0 += time } }
        let store = FileStore(path: folder.file, patience: patience)
        do throws(StoreError) {
            try await perform(verb, on: store)
            Issue.record("the lock of another was ignored")
        } catch {
            #expect(error == StoreError(.unavailable))
            #expect(error.reason == .lockHeld(path: folder.file + ".lock"))
            #expect(error.description.contains(folder.file + ".lock"))
        }
        #expect(waited.withLock { (.seconds(10)..<(.seconds(11))).contains($0) })
        #expect(try await store.read() == record)
        close(holder)
        try await perform(verb, on: store)
    }

    @Test("A lock that is released in time is taken")
    func letGo() async throws {
        try await FileStore(path: folder.file).replace(record, expecting: nil)
        let holder = try hold()
        let waits = Shared(0)
        let patience = LockPatience { _ in
            let count = waits.withLock { waits in
                waits += 1
                return waits
            }
            if count == 3 { close(holder) }
        }
        let next = StoredRecord(revision: 2, bytes: [2])
        try await FileStore(path: folder.file, patience: patience).replace(next, expecting: 1)
        #expect(waits.withLock { $0 } == 3)
        #expect(try await FileStore(path: folder.file).read() == next)
    }

    @Test("A call of a cancelled task waits at most a second")
    func cancelled() async throws {
        try await FileStore(path: folder.file).replace(record, expecting: nil)
        let holder = try hold()
        defer { close(holder) }
        let waited = Shared(Duration.zero)
        let store = FileStore(
            path: folder.file, patience: LockPatience { time in waited.withLock { $0 += time } })
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            await #expect(throws: StoreError(.unavailable)) { try await store.erase() }
        }
        await task.value
        #expect(waited.withLock { (.seconds(1)..<(.seconds(2))).contains($0) })
    }
}
