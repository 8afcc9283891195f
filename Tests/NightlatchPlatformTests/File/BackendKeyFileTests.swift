import Foundation
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("The file of a backend key")
struct BackendKeyFileTests {
    private static let key = String(repeating: "k", count: 43)
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/backend.key" }

    init() throws { try folder.make() }

    private func write(_ text: String, mode: Int = 0o600) {
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
    }

    @Test("The key is the first line, as the server writes it or without an end of line", arguments: ["\n", "", "\nx"])
    func firstLine(end: String) throws {
        write(Self.key + end)
        #expect(try BackendKey(file: path).rawValue == Self.key)
    }

    @Test("A file that other users may read or write is refused", arguments: [0o640, 0o604, 0o620, 0o660])
    func openToOthers(mode: Int) {
        write(Self.key + "\n", mode: mode)
        #expect(throws: BackendKeyFileError.refused) { try BackendKey(file: path) }
    }

    @Test("A file of another user is refused", .enabled(if: geteuid() == 0, "only the superuser can give a file away"))
    func foreign() {
        write(Self.key + "\n")
        #expect(unsafe chown(path, 12345, 0) == 0)
        #expect(throws: BackendKeyFileError.refused) { try BackendKey(file: path) }
    }

    @Test("A file of the administrator is accepted", .enabled(if: geteuid() == 0, "only root has a file of root"))
    func administrator() throws {
        write(Self.key + "\n")
        #expect(try BackendKey(file: path, user: 12345, credentialsFolder: nil).rawValue == Self.key)
    }

    @Test(
        "In the folder where systemd lends credentials, the group may read a file, and nothing else",
        arguments: [(0o600, true), (0o440, true), (0o640, true), (0o660, false), (0o650, false), (0o644, false)])
    func credential(mode: Int, isAccepted: Bool) throws {
        write(Self.key + "\n", mode: mode)
        if isAccepted {
            #expect(try BackendKey(file: path, user: geteuid(), credentialsFolder: folder.path).rawValue == Self.key)
        } else {
            #expect(throws: BackendKeyFileError.refused) {
                try BackendKey(file: path, user: geteuid(), credentialsFolder: folder.path)
            }
        }
    }

    @Test("Outside of that folder the group may not read a file", arguments: [nil, "", "/", "above"] as [String?])
    func otherFolder(credentials: String?) {
        write(Self.key + "\n", mode: 0o440)
        let credentials = credentials == "above" ? (folder.path as NSString).deletingLastPathComponent : credentials
        #expect(throws: BackendKeyFileError.refused) {
            try BackendKey(file: path, user: geteuid(), credentialsFolder: credentials)
        }
    }

    #if os(Linux) || os(macOS)
    // In a process of its own, because other tests read the environment.
    @Test("systemd's folder is that of the environment")
    func environment() async {
        await #expect(processExitsWith: .success) {
            let files = try BackendKeyFileTests()
            files.write(Self.key, mode: 0o440)
            #expect(throws: BackendKeyFileError.refused) { try BackendKey(file: files.path) }
            #expect(unsafe setenv("CREDENTIALS_DIRECTORY", files.folder.path, 1) == 0)
            #expect(throws: Never.self) { try BackendKey(file: files.path) }
        }
    }
    #endif

    @Test("A link, a folder or a pipe is refused, and a pipe is not waited for", arguments: ["link", "folder", "pipe"])
    func notPlain(kind: String) throws {
        switch kind {
        case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hostname")
        case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        default: #expect(unsafe mkfifo(path, 0o600) == 0)
        }
        #expect(throws: BackendKeyFileError.refused) { try BackendKey(file: path) }
    }

    @Test("A missing file, a short key and a text that is no key have their own errors")
    func errors() {
        #expect(throws: BackendKeyFileError.missing) { try BackendKey(file: path) }
        for text in ["", "\n\n", "not a key", "\u{FFFD}", Self.key + " " + Self.key] {
            write(text)
            #expect(throws: BackendKeyFileError.malformed) { try BackendKey(file: path) }
        }
        write(String(Self.key.prefix(21)))
        #expect(throws: BackendKeyFileError.tooShort) { try BackendKey(file: path) }
        write(String(Self.key.prefix(22)))
        #expect(throws: Never.self) { try BackendKey(file: path) }
    }
}
