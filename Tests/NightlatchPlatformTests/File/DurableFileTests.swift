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
}
