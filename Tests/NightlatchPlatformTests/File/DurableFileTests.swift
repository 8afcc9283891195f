import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Durable file")
struct DurableFileTests {
    private let folder = TemporaryFolder()

    @Test("A folder that it makes is forced onto the disk in the folder above, before anything is written into it")
    func newFolders() throws {
        let path = folder.path + "/one/two"
        let forced = Shared<[String]>([])
        let file = DurableFile(path: path + "/record") { folder in forced.withLock { $0.append(folder) } }
        try file.withLock { () throws(StoreError) in
            let above = (folder.path as NSString).deletingLastPathComponent
            #expect(forced.withLock { $0 } == [above, folder.path, folder.path + "/one"])
            try file.replace(with: [1])
        }
        #expect(forced.withLock { $0.last } == path)

        forced.withLock { $0 = [] }
        try file.withLock { () throws(StoreError) in try file.replace(with: [2]) }
        #expect(forced.withLock { $0 } == [path])
        try file.withLock { () throws(StoreError) in try file.remove() }
        #expect(forced.withLock { $0 } == [path, path])
    }

    @Test("A folder that cannot be forced onto the disk is told, and is not there for the next call to trust in")
    func newFolderFails() throws {
        let file = DurableFile(path: folder.file) { _ throws(StoreError) in throw StoreError(.unavailable) }
        #expect(throws: StoreError(.unavailable)) {
            try file.withLock { () throws(StoreError) in Issue.record("the lock was given") }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("Folders are made from a path below the working folder as well, and with doubled slashes")
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

    @Test("Where the old file cannot be replaced, nothing is left beside it")
    func renameFails() throws {
        try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: true)
        #expect(throws: StoreError(.refused)) { try DurableFile(path: folder.file).replace(with: [1]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["record"])
    }

    @Test("PV5: new bytes are forced onto the disk while the old ones still hold the name")
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
}
