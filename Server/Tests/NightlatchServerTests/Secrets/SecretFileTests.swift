import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Secret files")
struct SecretFileTests {
    @Test("A missing key is made once, readable by its owner only, and found again")
    func madeOnce() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/backend.key"
            let keys = try await inParallel(20) { try BackendKey.loadOrCreate(at: path) }
            #expect(Set(keys).count == 1)
            #expect(try BackendKey.load(from: path) == keys.first)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["backend.key"])
        }
    }

    @Test("A file that others may read is refused", arguments: [0o640, 0o604, 0o620])
    func openToOthers(mode: Int) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/master.key"
            _ = try MasterKey.loadOrCreate(at: path)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(throws: SecretFileError.openToOthers) { try MasterKey.loadOrCreate(at: path) }
        }
    }

    @Test("A file without a valid key is refused and left as it is", arguments: ["", "short", "not base64url at all!"])
    func malformed(text: String) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/master.key"
            _ = FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
            #expect(throws: SecretFileError.malformed) { try MasterKey.loadOrCreate(at: path) }
            let left = try Data(contentsOf: URL(filePath: path))
            #expect(left == Data(text.utf8))
        }
    }

    @Test(
        "A file that is not a regular one is refused, and a pipe is not waited for",
        arguments: ["pipe", "folder", "link", "dangling link"])
    func notPlain(kind: String) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/master.key"
            switch kind {
            case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            default:
                let target = folder + "/target"
                if kind == "link" { _ = try MasterKey.loadOrCreate(at: target) }
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            }
            #expect(throws: SecretFileError.notPlainFile) { try MasterKey.loadOrCreate(at: path) }
            #expect(!FileManager.default.fileExists(atPath: folder + "/target") || kind == "link")
        }
    }

    @Test("A file of another user is refused", .enabled(if: geteuid() == 0, "only the superuser can give a file away"))
    func foreign() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/master.key"
            _ = try MasterKey.loadOrCreate(at: path)
            #expect(unsafe chown(path, 12345, 0) == 0)
            #expect(throws: SecretFileError.ownedByAnother) { try MasterKey.loadOrCreate(at: path) }
        }
    }

    @Test("A backend key that is too short is refused", arguments: [(1, false), (21, false), (22, true), (43, true)])
    func shortBackendKey(count: Int, isTaken: Bool) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/backend.key"
            _ = FileManager.default.createFile(
                atPath: path, contents: Data(String(repeating: "k", count: count).utf8),
                attributes: [.posixPermissions: 0o600])
            if isTaken {
                let key = try BackendKey.load(from: path)
                #expect(key.rawValue.count == count)
            } else {
                #expect(throws: SecretFileError.tooShort(characterCount: 22)) { try BackendKey.loadOrCreate(at: path) }
            }
        }
    }

    @Test("A required file that does not exist is reported as missing")
    func missing() {
        #expect(throws: SecretFileError.missing) { try BackendKey.load(from: "/nonexistent/backend.key") }
    }

    @Test("A master key does not appear in descriptions")
    func description() throws {
        let key = try #require(MasterKey(text: Base64URL.encode([UInt8](repeating: 7, count: 32)) + "\n"))
        var dump = ""
        Swift.dump(key, to: &dump)
        #expect("\(key)" == "(master key)")
        #expect(String(reflecting: key) == "(master key)")
        #expect(dump == "- (master key)\n")
    }
}
