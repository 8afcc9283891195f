import Foundation
import Nightlatch
import NightlatchPlatform
import Testing

@Suite("File store")
struct FileStoreTests {
    private let folder = TemporaryFolder()
    private var store: FileStore { FileStore(path: folder.file) }
    private let record = StoredRecord(revision: 1, bytes: Array("record".utf8))

    @Test("Files, and the folders that the store makes, can be read and written by their owner alone")
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

    @Test("A file that others could read is replaced, and not written to", arguments: ["", ".new"])
    func looseMode(suffix: String) async throws {
        try folder.make()
        if suffix.isEmpty { try await store.replace(record, expecting: nil) } else { try write([1, 2], suffix) }
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.file + suffix)
        try await store.replace(StoredRecord(revision: 2, bytes: []), expecting: suffix.isEmpty ? 1 : nil)
        #expect(try FileManager.default.mode(folder.file) == 0o600)
    }

    @Test("A leftover file with a second name is not written through")
    func hardLink() async throws {
        try folder.make()
        let other = folder.path + "/other"
        try Data("precious".utf8).write(to: URL(filePath: other))
        try FileManager.default.linkItem(atPath: other, toPath: folder.file + ".new")
        try await store.replace(record, expecting: nil)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
        #expect(try await store.read() == record)
    }

    @Test("Only the record and its lock remain in the folder")
    func leftovers() async throws {
        try await store.replace(record, expecting: nil)
        try await store.replace(StoredRecord(revision: 2, bytes: []), expecting: 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["record", "record.lock"])
        try await store.erase()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["record.lock"])
    }

    @Test("Removing or erasing deletes the leftovers of an interrupted write", arguments: [true, false])
    func removalAfterACrash(erases: Bool) async throws {
        try await store.replace(record, expecting: nil)
        try write(Array("all of a record".utf8), ".new")
        if erases { try await store.erase() } else { try await store.remove(expecting: 1) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["record.lock"])
        // Without a record, too.
        try write(Array("all of a record".utf8), ".new")
        try await store.erase()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["record.lock"])
    }

    @Test("The leftovers of an interrupted write change nothing")
    func leftoverOfACrash() async throws {
        try await store.replace(record, expecting: nil)
        try write(Array("half a rec".utf8), ".new")
        #expect(try await store.read() == record)
        let next = StoredRecord(revision: 2, bytes: [7])
        try await store.replace(next, expecting: 1)
        #expect(try await store.read() == next)
    }

    @Test(
        "Removing or erasing deletes a complete new record that an interrupted write has left",
        arguments: [true, false])
    func leftoverIsRemoved(isErased: Bool) async throws {
        try await store.replace(record, expecting: nil)
        // The complete record, as left by a write that is interrupted before its last step.
        try FileManager.default.copyItem(atPath: folder.file, toPath: folder.file + ".new")
        if isErased { try await store.erase() } else { try await store.remove(expecting: 1) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["record.lock"])
    }

    @Test("A read creates no folder and no file")
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

    @Test("A truncated, extended or empty file is corrupt")
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

    @Test(
        "A file of a later version is reported as a newer format and stays as it is, in any shape and size",
        arguments: 2...9)
    func laterVersion(version: Int) async throws {
        try await store.replace(record, expecting: nil)
        let start = Array("NLS\(version)".utf8)
        for rest in [[], [0], Array(try bytes().dropFirst(4)), Array(repeating: 7, count: 2 * 1024 * 1024)] as [[UInt8]]
        {
            try write(start + rest)
            await #expect(throws: StoreError(.newerFormat)) { try await store.read() }
            await #expect(throws: StoreError(.newerFormat)) { try await store.replace(record, expecting: nil) }
            await #expect(throws: StoreError(.newerFormat)) { try await store.replace(record, expecting: 1) }
            await #expect(throws: StoreError(.newerFormat)) { try await store.remove(expecting: 1) }
            #expect(try bytes() == start + rest)
        }
        try await store.erase()
        #expect(try await store.read() == nil)
    }

    @Test("A version that never existed is corrupt", arguments: ["0", "A", "a", ":", "/", " ", "\u{0}"])
    func impossibleVersion(version: String) async throws {
        try await store.replace(record, expecting: nil)
        try write(Array("NLS\(version)".utf8) + (try bytes().dropFirst(4)))
        await #expect(throws: StoreError(.corrupt)) { try await store.read() }
    }

    @Test("The largest record fills a megabyte; one byte more is refused before anything is written")
    func largest() async throws {
        let byteCount = 1024 * 1024 - 44
        try await store.replace(record, expecting: nil)
        let larger = StoredRecord(revision: 2, bytes: Array(repeating: 7, count: byteCount + 1))
        await #expect(throws: StoreError(.full)) { try await store.replace(larger, expecting: 1) }
        #expect(try await store.read() == record)
        let largest = StoredRecord(revision: 2, bytes: Array(repeating: 7, count: byteCount))
        try await store.replace(largest, expecting: 1)
        #expect(try await store.read() == largest)
        #expect(try bytes().count == 1024 * 1024)
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

    @Test("The store's guarantees are those of a file")
    func guarantees() {
        for survivesReinstall in [true, false] {
            let store = FileStore(path: folder.file, survivesReinstall: survivesReinstall)
            let expected = StoreGuarantees(
                isDeviceBound: false, survivesReinstall: survivesReinstall, resistsRollback: false)
            #expect(store.guarantees == expected)
        }
        #expect(store.guarantees.survivesReinstall == FileStore.filesSurviveReinstall)
    }

    @Test("Files survive their app's removal on Linux and Macs alone")
    func reinstall() {
        #expect(FileStore.filesSurviveReinstall == isComputer)
    }

    private func bytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder.file)))
    }

    private func write(_ bytes: [UInt8], _ suffix: String = "") throws {
        try Data(bytes).write(to: URL(filePath: folder.file + suffix))
    }
}

#if os(Linux) || os(macOS) || targetEnvironment(macCatalyst)
private let isComputer = true
#else
private let isComputer = false
#endif
