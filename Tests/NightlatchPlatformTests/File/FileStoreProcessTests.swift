#if os(Linux)
import Foundation
import Glibc
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

/// What concerns a process as a whole is tried in one of its own.
@Suite("File store in processes of their own")
struct FileStoreProcessTests {
    private let folder = TemporaryFolder()
    private let record = StoredRecord(revision: 1, bytes: [1])

    @Test("Processes that write at once lose nothing")
    func counters() async throws {
        let path = folder.file
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        let store = FileStore(path: path)
                        var done = 0
                        while done < 25 {
                            let current = try await store.read()
                            let next = (current?.revision ?? 0) + 1
                            do {
                                try await store.replace(
                                    StoredRecord(revision: next, bytes: Array("\(next)".utf8)),
                                    expecting: current?.revision)
                                done += 1
                            } catch let error as StoreError where error.code == .conflict {
                                continue
                            }
                        }
                    }
                }
            }
        }
        #expect(try await FileStore(path: path).read() == StoredRecord(revision: 100, bytes: Array("100".utf8)))
    }

    @Test("Processes that guess at once are given exactly as many tries as the limit says")
    func guesses() async throws {
        let path = folder.file
        let store = FileStore(path: path)
        _ = try await Self.vault(at: path).create(with: try Self.pin("482915"))
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        let vault = try FileStoreProcessTests.vault(at: path)
                        for _ in 0..<10 {
                            do {
                                _ = try await vault.unlock(with: try FileStoreProcessTests.pin("739164"))
                                preconditionFailure("a wrong PIN opened the vault")
                            } catch let error as UnlockError {
                                guard case .refused = error else { preconditionFailure("\(error)") }
                            }
                        }
                    }
                }
            }
        }
        // One write made the vault, each try wrote once, and the last one's verdict once more.
        #expect(try await store.read()?.revision == 1 + 5 + 1)
        #expect(try await Self.vault(at: path).state() == .blocked(.newCredentials))
    }

    @Test("A process that is killed while it writes leaves the old record or the new one", arguments: 0..<10)
    func killed(round: Int) async throws {
        let path = folder.file
        let store = FileStore(path: path)
        try await store.replace(StoredRecord(revision: 1, bytes: [1]), expecting: nil)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
            let store = FileStore(path: path)
            let writer = Task {
                for revision in UInt64(1)... {
                    try await store.replace(
                        StoredRecord(
                            revision: revision + 1,
                            bytes: Array(repeating: UInt8(truncatingIfNeeded: revision), count: 100_000)),
                        expecting: revision)
                }
            }
            // The writer is killed somewhere in its work, each round after more of it.
            while try await store.read()?.revision ?? 0 < UInt64(round) { await Task.yield() }
            kill(getpid(), SIGKILL)
            try await writer.value
        }
        let left = try #require(try await store.read())
        #expect(Set(left.bytes).count == 1)
        try await store.replace(record, expecting: left.revision)
    }

    @Test("A disk without space is told as full, and the record stays as it was")
    func fullDisk() async throws {
        let path = folder.file
        try await FileStore(path: path).replace(record, expecting: nil)
        await #expect(processExitsWith: .success) { [path = path as String] in
            // No file of this process may grow beyond 1 KiB; the write fails and the process is not ended for it.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1024, rlim_max: 1024)
            precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let large = StoredRecord(revision: 2, bytes: Array(repeating: 7, count: 4096))
            do {
                try await FileStore(path: path).replace(large, expecting: 1)
                preconditionFailure("more was written than there is room for")
            } catch let error as StoreError {
                precondition(error.code == .full, "\(error)")
            }
        }
        #expect(try await FileStore(path: path).read() == record)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["record", "record.lock"])
    }

    @Test("Another user's folder is refused, and its record never seems absent")
    func otherUser() async throws {
        let path = folder.file
        try await FileStore(path: path).replace(record, expecting: nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: folder.path)
        await #expect(processExitsWith: .success) { [path = path as String] in
            // A root user may do anything, so the process becomes nobody.
            if geteuid() == 0 { precondition(setgid(65534) == 0 && setuid(65534) == 0) }
            let store = FileStore(path: path)
            for call in 0..<3 {
                do {
                    switch call {
                    case 0: _ = try await store.read()
                    case 1: try await store.replace(StoredRecord(revision: 2, bytes: []), expecting: 1)
                    default: try await store.erase()
                    }
                    preconditionFailure("call \(call) was let through")
                } catch let error as StoreError {
                    precondition(error.code == .refused, "\(error)")
                }
            }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        #expect(try await FileStore(path: path).read() == record)
    }

    static func vault(at path: String) throws -> Vault {
        Vault(
            store: FileStore(path: path), clock: ManualClock(),
            lockoutPolicy: try LockoutPolicy(firstWaitAfter: 5, waits: [.seconds(1)], limit: 5),
            keyDerivation: .cheap, keyDerivationBounds: .forTests)
    }

    static func pin(_ digits: String) throws -> Pin {
        try Pin(digits: SecretBytes(copying: Array(digits.utf8)))
    }
}
#endif
