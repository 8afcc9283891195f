import Foundation
import Nightlatch
import NightlatchPlatform
import Testing

@Suite("File store")
struct FileStoreTests {
    private let folder = TemporaryFolder()
    private var store: FileStore { FileStore(path: folder.file) }
    private let record = StoredRecord(revision: 1, bytes: Array("record".utf8))

    @Test("PV5: files can be read and written by their owner alone, and so can the folders it makes")
    func modes() async throws {
        let nested = FileStore(path: folder.path + "/one/two/record")
        try await nested.replace(record, expecting: nil)
        #expect(try FileManager.default.mode(folder.path) == 0o700)
        #expect(try FileManager.default.mode(folder.path + "/one") == 0o700)
        #expect(try FileManager.default.mode(folder.path + "/one/two") == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/one/two") {
            #expect(try FileManager.default.mode(folder.path + "/one/two/" + name) == 0o600, "\(name)")
        }
    }

    @Test("A file that others could read is not written to but replaced", arguments: ["", ".new"])
    func looseMode(suffix: String) async throws {
        try folder.make()
        if suffix.isEmpty { try await store.replace(record, expecting: nil) } else { try write([1, 2], suffix) }
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.file + suffix)
        try await store.replace(StoredRecord(revision: 2, bytes: []), expecting: suffix.isEmpty ? 1 : nil)
        #expect(try FileManager.default.mode(folder.file) == 0o600)
    }

    @Test("Another name of a left-over file is not written through")
    func hardLink() async throws {
        try folder.make()
        let other = folder.path + "/other"
        try Data("precious".utf8).write(to: URL(filePath: other))
        try FileManager.default.linkItem(atPath: other, toPath: folder.file + ".new")
        try await store.replace(record, expecting: nil)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
        #expect(try await store.read() == record)
    }

    @Test("Nothing is left over beside the record but its lock")
    func leftovers() async throws {
        try await store.replace(record, expecting: nil)
        try await store.replace(StoredRecord(revision: 2, bytes: []), expecting: 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["record", "record.lock"])
        try await store.erase()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["record.lock"])
    }

    @Test("A write that was cut off beside the record changes nothing")
    func leftoverOfACrash() async throws {
        try await store.replace(record, expecting: nil)
        try write(Array("half a rec".utf8), ".new")
        #expect(try await store.read() == record)
        let next = StoredRecord(revision: 2, bytes: [7])
        try await store.replace(next, expecting: 1)
        #expect(try await store.read() == next)
    }

    @Test("Reading makes no folder and no file")
    func readOnly() async throws {
        #expect(try await store.read() == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("A file with any one byte flipped is corrupt")
    func flipped() async throws {
        try await store.replace(record, expecting: nil)
        let good = try bytes()
        for index in good.indices {
            for mask in [UInt8(1), 0x80, 0xFF] {
                var bad = good
                bad[index] ^= mask
                try write(bad)
                await #expect(throws: StoreError(.corrupt), "byte \(index)") { try await store.read() }
            }
        }
        try write(good)
        #expect(try await store.read() == record)
    }

    @Test("A file that was cut off or went on is corrupt, an empty one too")
    func torn() async throws {
        try await store.replace(record, expecting: nil)
        let good = try bytes()
        for count in good.indices {
            try write(Array(good[..<count]))
            await #expect(throws: StoreError(.corrupt), "\(count) bytes") { try await store.read() }
        }
        for more in [[0], good, Array(repeating: 0, count: 4096)] as [[UInt8]] {
            try write(good + more)
            await #expect(throws: StoreError(.corrupt)) { try await store.read() }
        }
    }

    @Test("A file of more than a megabyte is corrupt")
    func huge() async throws {
        try folder.make()
        try write(Array(repeating: 0x4E, count: 1024 * 1024 + 1))
        await #expect(throws: StoreError(.corrupt)) { try await store.read() }
    }

    @Test("A corrupt file stays as it is until it is erased")
    func corruptStays() async throws {
        try folder.make()
        try write([1, 2, 3])
        await #expect(throws: StoreError(.corrupt)) { try await store.replace(record, expecting: nil) }
        await #expect(throws: StoreError(.corrupt)) { try await store.replace(record, expecting: 1) }
        await #expect(throws: StoreError(.corrupt)) { try await store.remove(expecting: 1) }
        #expect(try bytes() == [1, 2, 3])
        try await store.erase()
        try await store.replace(record, expecting: nil)
        #expect(try await store.read() == record)
    }

    @Test("LO4: what it promises is what a file can keep")
    func guarantees() {
        #expect(
            store.guarantees
                == StoreGuarantees(isDeviceBound: false, survivesReinstall: true, resistsRollback: false))
    }

    private func bytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder.file)))
    }

    private func write(_ bytes: [UInt8], _ suffix: String = "") throws {
        try Data(bytes).write(to: URL(filePath: folder.file + suffix))
    }
}
