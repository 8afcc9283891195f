import Foundation
import Nightlatch
import NightlatchPlatform
import Testing

/// What the system says no to is told as such, and never taken for an absent record.
@Suite("File store and the system's no")
struct FileStoreRefusalTests {
    private let folder = TemporaryFolder()
    private let record = StoredRecord(revision: 1, bytes: [1])

    @Test("EPERM is told as unavailable where files are protected while the device is locked, else as refused")
    func protectedFile() {
        #expect(StoreError(errno: EPERM, whereFilesAreProtected: true) == StoreError(.unavailable))
        #expect(StoreError(errno: EPERM, whereFilesAreProtected: false) == StoreError(.refused))
        #expect(StoreError(errno: EACCES, whereFilesAreProtected: true) == StoreError(.refused))
        #expect(StoreError(errno: EPERM).systemStatus == EPERM)
    }

    @Test("A symbolic link in the record's place is not followed", arguments: [true, false])
    func symbolicLink(isDangling: Bool) async throws {
        try folder.make()
        let target = folder.path + "/target"
        if !isDangling { try await FileStore(path: target).replace(record, expecting: nil) }
        try FileManager.default.createSymbolicLink(atPath: folder.file, withDestinationPath: target)
        try await expectRefused(FileStore(path: folder.file))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file) == target)
    }

    @Test("A symbolic link in the lock's place is not followed")
    func lockLink() async throws {
        try folder.make()
        let target = folder.path + "/target"
        try FileManager.default.createSymbolicLink(atPath: folder.file + ".lock", withDestinationPath: target)
        await #expect(throws: StoreError(.refused)) {
            try await FileStore(path: folder.file).replace(record, expecting: nil)
        }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(
        "What is no file is refused in the record's place and in the lock's, and nobody waits for it",
        arguments: Stranger.allCases, ["", ".lock"])
    func stranger(stranger: Stranger, suffix: String) async throws {
        try folder.make()
        try stranger.make(at: folder.file + suffix)
        let path = folder.file
        await #expect(processExitsWith: .success) { [path = path as String, suffix = suffix as String] in
            // Whoever waits for a pipe's other end waits for ever; this process is ended then.
            alarm(20)
            let store = FileStore(path: path)
            if suffix.isEmpty { await #expect(throws: StoreError(.refused)) { try await store.read() } }
            await #expect(throws: StoreError(.refused)) {
                try await store.replace(StoredRecord(revision: 1, bytes: [1]), expecting: nil)
            }
            await #expect(throws: StoreError(.refused)) { try await store.remove(expecting: 1) }
        }
    }

    @Test("A device in the record's place is refused", .enabled(if: Self.hasZeroDevice, "needs /dev/zero"))
    func device() async {
        await #expect(throws: StoreError(.refused)) { try await FileStore(path: Self.zeroDevice).read() }
    }

    private static let zeroDevice = "/dev/zero"
    private static var hasZeroDevice: Bool { FileManager.default.fileExists(atPath: zeroDevice) }

    @Test("A path that leads through a file is refused")
    func throughFile() async throws {
        try folder.make()
        try Data().write(to: URL(filePath: folder.file))
        try await expectRefused(FileStore(path: folder.file + "/record"))
        try await expectRefused(FileStore(path: folder.file + "/deeper/record"))
    }

    @Test(
        "A disk that is read-only is refused",
        .enabled(if: Self.hasReadOnlyDisk, "needs a read-only file system at /sys"))
    func readOnlyDisk() async throws {
        let store = FileStore(path: "/sys/nightlatch/record")
        #expect(try await store.read() == nil)
        await #expect(throws: StoreError(.refused)) { try await store.replace(record, expecting: nil) }
    }

    private static var hasReadOnlyDisk: Bool {
        // Permissions do not hold a root user back; a file system that makes no files does.
        FileManager.default.fileExists(atPath: "/sys")
            && !FileManager.default.createFile(atPath: "/sys/nightlatch", contents: nil)
    }

    private func expectRefused(_ store: FileStore) async throws {
        await #expect(throws: StoreError(.refused)) { try await store.read() }
        await #expect(throws: StoreError(.refused)) { try await store.replace(record, expecting: nil) }
        await #expect(throws: StoreError(.refused)) { try await store.remove(expecting: 1) }
    }
}
