import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Durable file")
struct DurableFileTests {
    private let folder = TemporaryFolder()

    @Test("A new folder is synchronized in its parent before anything is written into it")
    func newFolders() async throws {
        let path = folder.path + "/one/two"
        let forced = Shared<[String]>([])
        let file = DurableFile(path: path + "/record") { folder in forced.withLock { $0.append(folder) } }
        try await locked(file) { () throws(StoreError) in
            let above = (folder.path as NSString).deletingLastPathComponent
            #expect(forced.withLock { $0 } == [above, folder.path, folder.path + "/one"])
            try file.replace(with: [1])
        }
        #expect(forced.withLock { $0.last } == path)

        forced.withLock { $0 = [] }
        try await locked(file) { () throws(StoreError) in try file.replace(with: [2]) }
        #expect(forced.withLock { $0 } == [path])
        try await locked(file) { () throws(StoreError) in try file.remove() }
        #expect(forced.withLock { $0 } == [path, path])
    }

    @Test("A folder that cannot be synchronized is an error, and is removed so that the next call makes it again")
    func newFolderFails() throws {
        let file = DurableFile(path: folder.file) { _ throws(StoreError) in throw StoreError(.unavailable) }
        #expect(throws: StoreError(.unavailable)) {
            try file.withLock { () throws(StoreError) in Issue.record("the lock was given") }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    #if os(Linux) || os(macOS)
    @Test("Folders are also made from a relative path, and from a path with doubled slashes")
    func relativePath() async throws {
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            precondition(FileManager.default.changeCurrentDirectoryPath(path))
            for relative in ["record", "one/record", "two//three/record"] {
                let file = DurableFile(path: relative)
                try file.withLock { () throws(StoreError) in try file.replace(with: [7]) }
                precondition(FileManager.default.contents(atPath: "\(path)/\(relative)") == Data([7]))
            }
        }
    }
    #endif

    @Test("Replaced or removed bytes are overwritten after the file loses its name, unless it has a second name")
    func overwritten() async throws {
        let file = DurableFile(path: folder.file)
        let bytes = [UInt8](repeating: 7, count: 9000)
        func content(_ handle: FileHandle) throws -> Data {
            try handle.seek(toOffset: 0)
            return try handle.readToEnd() ?? Data()
        }
        try await locked(file) { () throws(StoreError) in try file.replace(with: bytes) }
        let replaced = try #require(FileHandle(forReadingAtPath: folder.file))
        #expect(try content(replaced) == Data(bytes))
        try await locked(file) { () throws(StoreError) in try file.replace(with: [1, 2, 3]) }
        #expect(try content(replaced) == Data(count: 9000))
        #expect(try file.read(byteCountLimit: 100) == [1, 2, 3])

        let copy = folder.path + "/copy"
        try FileManager.default.linkItem(atPath: folder.file, toPath: copy)
        try await locked(file) { () throws(StoreError) in try file.replace(with: bytes) }
        #expect(FileManager.default.contents(atPath: copy) == Data([1, 2, 3]))

        let removed = try #require(FileHandle(forReadingAtPath: folder.file))
        #expect(FileManager.default.createFile(atPath: folder.file + ".new", contents: Data(bytes)))
        let leftOver = try #require(FileHandle(forReadingAtPath: folder.file + ".new"))
        try await locked(file) { () throws(StoreError) in try file.remove() }
        #expect(try content(removed) == Data(count: 9000) && content(leftOver) == Data(count: 9000))
        #expect(FileManager.default.contents(atPath: copy) == Data([1, 2, 3]))
    }

    @Test("A reader never sees a file overwritten while it is replaced")
    func readWhileReplaced() async throws {
        let path = folder.file
        try await locked(DurableFile(path: path)) { () throws(StoreError) in
            try DurableFile(path: path).replace(with: .init(repeating: 1, count: 4096))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in UInt8(1)...100 {
                    let file = DurableFile(path: path)
                    try await locked(file) { () throws(StoreError) in
                        try file.replace(with: .init(repeating: number, count: 4096))
                    }
                }
            }
            group.addTask {
                for _ in 0..<2000 {
                    let bytes = try #require(try DurableFile(path: path).read(byteCountLimit: 8192))
                    #expect(bytes.count == 4096 && bytes[0] != 0 && Set(bytes).count == 1)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("If the old file cannot be replaced, no new file remains beside it")
    func renameFails() throws {
        try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: true)
        #expect(throws: StoreError(.refused)) { try DurableFile(path: folder.file).replace(with: [1]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["record"])
    }

    @Test("New bytes are synchronized while the old file still has the name")
    func synchronizedBeforeRename() throws {
        let path = folder.file
        try folder.make()
        try DurableFile(path: path).replace(with: [1])
        let seen = Shared<[(inode: UInt64, byteCount: Int, old: Data?)]>([])
        let watching = DiskSynchronization([
            { descriptor in
                var status = stat()
                _ = unsafe fstat(descriptor, &status)
                let (inode, byteCount) = (UInt64(status.st_ino), Int(status.st_size))
                seen.withLock { $0.append((inode, byteCount, FileManager.default.contents(atPath: path))) }
                return fsync(descriptor)
            }
        ])
        try DurableFile(path: path, synchronization: watching).replace(with: [2, 3])
        let forced = seen.withLock { $0 }
        let inode = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        #expect(forced.map(\.inode) == [UInt64(inode ?? 0)])
        #expect(forced.map(\.byteCount) == [2])
        #expect(forced.map(\.old) == [Data([1])])
        #expect(FileManager.default.contents(atPath: path) == Data([2, 3]))
    }

    /// Runs `body` with the lock, and waits for it as a store does.
    ///
    /// Other tests start processes. Until such a process runs its program, it has copies of all descriptors. So it
    /// holds a lock that was released here.
    private func locked(_ file: DurableFile, _ body: () throws(StoreError) -> Void) async throws(StoreError) {
        try await LockPatience.standard.run { () async throws(StoreError) in try file.withLock(body) }
    }
}
