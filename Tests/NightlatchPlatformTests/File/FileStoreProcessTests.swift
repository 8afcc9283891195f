#if os(Linux)
import Foundation
import Glibc
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

/// Tests of a whole process run in their own process.
@Suite("File store in several processes")
struct FileStoreProcessTests {
    private let folder = TemporaryFolder()
    private let record = StoredRecord(revision: 1, bytes: [1])

    @Test("Processes that write at the same time lose nothing")
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

    @Test("Processes that try PINs at the same time get exactly the number of attempts that the limit allows")
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
        // One write created the vault, each attempt wrote once, and the last verdict wrote once more.
        #expect(try await store.read()?.revision == 1 + 5 + 1)
        #expect(try await Self.vault(at: path).state() == .blocked(.newCredentials))
    }

    @Test("A process that is killed during a write leaves the old record or the new one", arguments: 0..<10)
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
            // The writer is killed at any point of its work, later in each round.
            while try await store.read()?.revision ?? 0 < UInt64(round) { await Task.yield() }
            kill(getpid(), SIGKILL)
            try await writer.value
        }
        let left = try #require(try await store.read())
        #expect(Set(left.bytes).count == 1)
        try await store.replace(record, expecting: left.revision)
    }

    @Test("A full disk is reported as full, and the record stays as it was")
    func fullDisk() async throws {
        let path = folder.file
        try await FileStore(path: path).replace(record, expecting: nil)
        await #expect(processExitsWith: .success) { [path = path as String] in
            // Limits the files of this process to 1 KiB. The write fails, and the signal does not end the process.
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
            // The root user has every permission, so the process changes to the user 65534.
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
            configuration: VaultConfiguration(
                lockoutPolicy: try LockoutPolicy(firstWaitAfter: 5, waits: [.seconds(1)], limit: 5),
                keyDerivation: .cheap, keyDerivationBounds: .forTests))
    }

    static func pin(_ digits: String) throws -> Pin {
        try Pin(digits: SecretBytes(copying: Array(digits.utf8)))
    }
}
#endif
