import Foundation
import NightlatchCommand
import Testing

@Suite("Folders that other users can write to")
struct FolderAccessTests {
    /// The modes of an outer and an inner folder, and the folders in which other users can replace files.
    struct Case: CustomTestStringConvertible {
        let outer: Int
        let inner: Int
        let open: [Place]
        enum Place { case outer, inner }
        var testDescription: String { "0\(String(outer, radix: 8))/0\(String(inner, radix: 8))" }
    }

    private static let cases = [
        Case(outer: 0o700, inner: 0o700, open: []),
        Case(outer: 0o755, inner: 0o755, open: []),
        Case(outer: 0o700, inner: 0o777, open: [.inner]),
        Case(outer: 0o700, inner: 0o770, open: [.inner]),
        Case(outer: 0o702, inner: 0o700, open: [.outer]),
        Case(outer: 0o777, inner: 0o777, open: [.inner, .outer]),
        // With the sticky bit users can remove only their own files, but they can create a missing one.
        Case(outer: 0o1777, inner: 0o700, open: []),
        Case(outer: 0o700, inner: 0o1777, open: [.inner]),
    ]

    @Test("The doctor and a starting server find the same folders, with their modes", arguments: cases)
    func rule(of tested: Case) throws {
        let outer = try TemporaryFolder()
        let inner = outer.path + "/data"
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: inner + "/key"))
        try setMode(0o600, of: inner + "/key")
        try setMode(tested.inner, of: inner)
        try setMode(tested.outer, of: outer.path)
        let link = try TemporaryFolder().path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: inner)
        defer { try? FileManager.default.removeItem(atPath: link) }

        let resolved = URL(fileURLWithPath: outer.path).resolvingSymlinksInPath().path
        let expected = tested.open.map { place in
            switch place {
            case .inner: (path: resolved + "/data", mode: "0" + String(tested.inner, radix: 8))
            case .outer: (path: resolved, mode: "0" + String(tested.outer, radix: 8))
            }
        }
        for path in [inner, link] {
            let found = try FolderAccess(path: path).open.filter { $0.path.hasPrefix(resolved) }
            #expect(found.map(\.path) == expected.map(\.path))
            #expect(found.map(\.mode) == expected.map(\.mode))
            // Two files of one folder give one warning.
            let warnings = LooseModes.warnings(database: path + "/missing", keys: [path + "/key", path + "/other"])
                .filter { $0.contains(resolved) }
            let texts = expected.map {
                "Other users of this machine can replace the files in \($0.path) (mode \($0.mode)). Run: chmod go-w \($0.path)"
            }
            #expect(warnings == texts.sorted())
        }
    }

    @Test("A server warns of each database file that others can read or write", arguments: ["", "-wal", "-shm"])
    func database(suffix: String) throws {
        let folder = try TemporaryFolder()
        try setMode(0o700, of: folder.path)
        let database = folder.path + "/data.sqlite"
        let file = database + suffix
        try Data().write(to: URL(fileURLWithPath: file))
        for (mode, verb) in [(0o600, nil), (0o640, "read"), (0o604, "read"), (0o620, "write"), (0o666, "write")] {
            try setMode(mode, of: file)
            let warnings = LooseModes.warnings(database: database, keys: []).filter { $0.contains(folder.path) }
            let expected = verb.map {
                "Other users of this machine can \($0) \(file) (mode 0\(String(mode, radix: 8))). Run: chmod 600 \(file)"
            }
            #expect(warnings == [expected].compactMap(\.self))
        }
    }

    @Test("A server warns if it cannot read the mode of a folder")
    func missing() throws {
        let folder = try TemporaryFolder().path + "/missing"
        let warnings = LooseModes.warnings(database: nil, keys: [folder + "/key"])
        #expect(
            warnings.count == 1 && warnings[0].hasPrefix("Cannot find out whether")
                && warnings[0].contains("files in \(folder): "))
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}
