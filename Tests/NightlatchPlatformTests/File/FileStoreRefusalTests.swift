import Foundation
import Nightlatch
import NightlatchPlatform
import Testing

/// A refusal by the system is reported as such, and never taken for an absent record.
@Suite("File store and refusals by the system")
struct FileStoreRefusalTests {
    private let folder = TemporaryFolder()
    private let record = StoredRecord(revision: 1, bytes: [1])

    @Test("EPERM means unavailable where a locked device protects files, and otherwise refused")
    func protectedFile() {
        #expect(StoreError(errno: EPERM, whereFilesAreProtected: true) == StoreError(.unavailable))
        #expect(StoreError(errno: EPERM, whereFilesAreProtected: false) == StoreError(.refused))
        #expect(StoreError(errno: EACCES, whereFilesAreProtected: true) == StoreError(.refused))
        #expect(StoreError(errno: EPERM).systemStatus == EPERM)
    }

    @Test("A symbolic link at the record's path is not followed", arguments: [true, false])
    func symbolicLink(isDangling: Bool) async throws {
        try folder.make()
        let target = folder.path + "/target"
        if !isDangling { try await FileStore(path: target).replace(record, expecting: nil) }
        try FileManager.default.createSymbolicLink(atPath: folder.file, withDestinationPath: target)
        try await expectRefused(FileStore(path: folder.file))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file) == target)
    }

    @Test("A symbolic link at the lock's path is not followed")
    func lockLink() async throws {
        try folder.make()
        let target = folder.path + "/target"
        try FileManager.default.createSymbolicLink(atPath: folder.file + ".lock", withDestinationPath: target)
        await #expect(throws: StoreError(.refused)) {
            try await FileStore(path: folder.file).replace(record, expecting: nil)
        }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    #if os(Linux) || os(macOS)
    @Test(
        "Anything but a file at the path of the record or the lock is refused, without waiting",
        arguments: Stranger.allCases, ["", ".lock"])
    func stranger(stranger: Stranger, suffix: String) async throws {
        try folder.make()
        try stranger.make(at: folder.file + suffix)
        let path = folder.file
        await #expect(processExitsWith: .success) { [path = path as String, suffix = suffix as String] in
            // A process that waits for the other end of a pipe never continues; the alarm ends it then.
            alarm(20)
            let store = FileStore(path: path)
            if suffix.isEmpty { await #expect(throws: StoreError(.refused)) { try await store.read() } }
            await #expect(throws: StoreError(.refused)) {
                try await store.replace(StoredRecord(revision: 1, bytes: [1]), expecting: nil)
            }
            await #expect(throws: StoreError(.refused)) { try await store.remove(expecting: 1) }
        }
    }
    #endif

    @Test("A device file at the record's path is refused", .enabled(if: Self.hasZeroDevice, "needs /dev/zero"))
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
        // Permissions do not restrict the root user; a file system without new files does.
        FileManager.default.fileExists(atPath: "/sys")
            && !FileManager.default.createFile(atPath: "/sys/nightlatch", contents: nil)
    }

    private func expectRefused(_ store: FileStore) async throws {
        await #expect(throws: StoreError(.refused)) { try await store.read() }
        await #expect(throws: StoreError(.refused)) { try await store.replace(record, expecting: nil) }
        await #expect(throws: StoreError(.refused)) { try await store.remove(expecting: 1) }
    }
}
