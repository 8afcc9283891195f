import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Subprocess
import Testing

/// Runs with a vault that has a PIN and no binding, and without any server.
@Suite("Bad input", .timeLimit(.minutes(10)))
struct BadInputTests {
    private let folder: TemporaryFolder
    private let nobody = "http://127.0.0.1:9"
    private let goodCode = EnrolmentCode.random().groupedText

    init() async throws {
        folder = try TemporaryFolder()
        let vault = Vault(
            store: FileStore(path: folder.vault), clock: SystemLockoutClock(),
            configuration: VaultConfiguration(keyDerivation: .pbkdf2Default))
        await (try vault.create(with: try Pin(digits: SecretBytes(copying: Array("295038".utf8))))).lock()
    }

    /// Runs the command and expects its status, a word of its message, and the vault as it was, byte by byte.
    private func expectRefusal(
        _ arguments: String...,
        pins: [String] = ["295038"],
        wrapper: [String] = [],
        status: Int32,
        message: String,
        vaultMayChange: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try folder.vaultBytes()
        let outcome = try await Nightlatch.run(
            arguments + ["--home", folder.home, "--pin-fd", "0"], pins: pins, wrapper: wrapper)
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errors.contains(message), "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
        #expect(!outcome.errors.contains("295038"), "a PIN in a message", sourceLocation: sourceLocation)
        if !vaultMayChange { #expect(try folder.vaultBytes() == before, sourceLocation: sourceLocation) }
    }

    @Test("A wrong PIN is charged and refused with the number of attempts left")
    func wrongPin() async throws {
        try await expectRefusal(
            "unlock", pins: ["860527"], status: 1, message: "9 attempts left", vaultMayChange: true)
        try await expectRefusal(
            "unlock", pins: ["860527"], status: 1, message: "8 attempts left", vaultMayChange: true)
        try await expectRefusal(
            "unlock", pins: ["860527"], status: 1, message: "7 attempts left, the next one in 30 s",
            vaultMayChange: true)
        try await expectRefusal("unlock", status: 1, message: "then 7 attempts are left")
    }

    @Test(
        "Input that is not a PIN is not tried",
        arguments: [("29503x", "digits"), ("123", "4 to 12"), ("1234567890123", "4 to 12"), ("", "no PIN")])
    func noPin(pin: String, message: String) async throws {
        try await expectRefusal("unlock", pins: [pin], status: 2, message: message)
    }

    @Test("A number that no login can have is refused before a PIN is read or a code is claimed")
    func confirmNumber() async throws {
        let id = String(repeating: "0", count: 32)
        for number in ["7", "007", "ab", ""] {
            try await expectRefusal("confirm", id, "--number", number, pins: [], status: 2, message: "two digits")
            try await expectRefusal(
                "confirm", "--code", "abc", "--number", number, pins: [], status: 2, message: "two digits")
        }
        try await expectRefusal(
            "confirm", id, "--reject", "--number", "07", pins: [], status: 2, message: "not to reject")
        try await expectRefusal("confirm", "--number", "07", pins: [], status: 2, message: "add its id or --code")
        try await expectRefusal("confirm", "x", pins: [], status: 2, message: "not the id of a transaction or login")
    }

    @Test("A line without an end is refused, and no PIN is tried")
    func endlessLine() async throws {
        try await expectRefusal(
            "unlock", wrapper: ["sh", "-c", "exec \"$@\" </dev/zero", "sh"], status: 2, message: "its line does not end"
        )
    }

    @Test("An empty folder name is refused, because it would mean the root folder")
    func noFolder() async throws {
        let option = try await Nightlatch.run("doctor", "--home", "")
        #expect(option.status == 2 && option.errors.contains("--home is empty"), "\(option.errors)")
        let variable = try await Nightlatch.run(
            "doctor", environment: Nightlatch.environment.updating(["NIGHTLATCH_HOME": ""]))
        #expect(variable.status == 2 && variable.errors.contains("NIGHTLATCH_HOME is empty"), "\(variable.errors)")
    }

    @Test("The delete key of a terminal is not a digit when the PIN comes from a file descriptor")
    func deletion() async throws {
        let delete = "\u{7F}"
        try await expectRefusal("unlock", pins: ["2950380" + delete], status: 2, message: "digits 0 to 9")
        let deleted = "2950380000000000" + String(repeating: delete, count: 10)
        try await expectRefusal("unlock", pins: [deleted], status: 2, message: "4 to 12 digits")
    }

    @Test("Code and PIN may be two lines of the same input")
    func codeAndPin() async throws {
        try await expectRefusal(
            "bind", "--server", nobody, pins: [goodCode, "295038"], status: 3, message: "Try again",
            vaultMayChange: true)
        try await expectRefusal(
            "bind", "--server", nobody, "--code", "-", pins: [goodCode, "295038"], status: 3,
            message: "Try again", vaultMayChange: true)
        try await expectRefusal(
            "bind", "--server", nobody, pins: [String(repeating: "A", count: 300), "295038"], status: 2,
            message: "not an enrolment code")
        try await expectRefusal(
            "pin", "two-party", "--code", "-", pins: ["ABCD-EFGH", "295038"], status: 2,
            message: "not an enrolment code")
    }

    @Test("A change of PIN does not ask for a PIN when none can be tried")
    func nothingToChange() async throws {
        for _ in 0..<3 { _ = try await folder.device("unlock", pins: ["860527"]) }
        try await expectRefusal("pin", "change", pins: [], status: 1, message: "then 7 attempts are left")
        try FileManager.default.removeItem(atPath: folder.vault)
        let absent = try await folder.device("pin", "change", pins: [])
        #expect(absent.status == 1 && absent.errors.contains("no vault here"), "\(absent.errors)")
    }

    @Test("A weak new PIN is refused with all reasons, and the old PIN is not tried")
    func weakPin() async throws {
        try await expectRefusal(
            "pin", "change", "--new-pin-fd", "0", pins: ["295038", "11111"], status: 1,
            message: "it must have 6 digits; it repeats one or two digits; it counts up or down; it repeats a pattern")
    }

    @Test("The old PIN is refused as the new one, and is not tried")
    func samePin() async throws {
        try await expectRefusal(
            "pin", "change", "--new-pin-fd", "0", pins: ["295038", "295038"], status: 1,
            message: "This PIN is not allowed: it is the current PIN. Nothing was changed.")
    }

    @Test(
        "A new PIN that is refused changes neither the vault nor the keys that it would replace",
        arguments: [("11111", Int32(1), "Nothing was changed"), ("12", 2, "4 to 12 digits"), ("", 2, "no PIN")])
    func replaceWithWeakPin(pin: String, status: Int32, message: String) async throws {
        let keys = folder.home + "/keys"
        try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: keys + "/some.key", contents: Data("key".utf8)))
        try await expectRefusal(
            "bind", "--replace", "--server", nobody, "--code", goodCode, pins: [pin], status: status,
            message: message)
        #expect(try FileManager.default.contentsOfDirectory(atPath: keys) == ["some.key"])
    }

    @Test("An accepted new PIN replaces even a damaged vault and the keys beside it")
    func replace() async throws {
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: folder.vault))
        try await expectRefusal(
            "bind", "--replace", "--server", nobody, "--code", goodCode, pins: ["741906"], status: 3,
            message: "Try again", vaultMayChange: true)
        #expect(try await folder.device("unlock", pins: ["741906"]).status == 0)
    }

    @Test("A malformed code is refused before any request")
    func malformedCode() async throws {
        try await expectRefusal(
            "bind", "--server", nobody, "--code", "ABCD-EFGH", status: 2, message: "not an enrolment code")
    }

    @Test("An invalid server address is refused")
    func malformedServer() async throws {
        try await expectRefusal(
            "bind", "--server", "http://example.com", "--code", goodCode, status: 2, message: "is not a server")
    }

    @Test("For a server that is down, the message says to try again")
    func serverDown() async throws {
        try await expectRefusal(
            "bind", "--server", nobody, "--code", goodCode, status: 3, message: "Try again",
            vaultMayChange: true)
    }

    @Test("A login without a binding is refused")
    func notBound() async throws {
        try await expectRefusal("login", status: 1, message: "device is not bound", vaultMayChange: true)
    }

    @Test("An unknown option is a usage error")
    func unknownOption() async throws {
        try await expectRefusal("unlock", "--frobnicate", status: 2, message: "frobnicate")
    }

    @Test("A PIN cannot be read from a file descriptor that is not open")
    func noDescriptor() async throws {
        let outcome = try await Nightlatch.run("unlock", "--home", folder.home, "--pin-fd", "77")
        #expect(outcome.status == 2 && outcome.errors.contains("file descriptor 77"))
    }

    @Test("A vault with one changed byte is refused and stays unchanged")
    func corruptRecord() async throws {
        var bytes = try folder.vaultBytes()
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: folder.vault))
        try await expectRefusal("unlock", status: 1, message: "the record is damaged")
    }

    @Test("A vault of a newer format is refused with a message and stays unchanged")
    func newerFormat() async throws {
        let store = FileStore(path: folder.vault)
        let record = try #require(try await store.read())
        let newer = String(decoding: record.bytes, as: UTF8.self).replacing("\"format\":2", with: "\"format\":3")
        try await store.replace(
            StoredRecord(revision: record.revision, bytes: Array(newer.utf8)), expecting: record.revision)
        try await expectRefusal("unlock", status: 1, message: "format 3; this version knows 2")
    }

    @Test("A vault in a file of a newer version is refused with a message and stays unchanged")
    func newerFile() async throws {
        var bytes = try folder.vaultBytes()
        bytes[3] = UInt8(ascii: "2")
        try bytes.write(to: URL(fileURLWithPath: folder.vault))
        try await expectRefusal("unlock", status: 1, message: "written by a newer version: update the app")
    }

    @Test("A device name that is invisible or changes the text direction is refused", arguments: ["  ", "a\u{202E}b"])
    func deviceName(name: String) async throws {
        try await expectRefusal(
            "bind", "--server", nobody, "--code", goodCode, "--name", name, status: 2, message: "A device's name")
    }

    @Test("A full disk is reported; no PIN is tried and nothing is lost")
    func fullDisk() async throws {
        try await expectRefusal(
            "unlock", wrapper: ["bash", "-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "bash"], status: 3,
            message: "no space left")
        let after = try await Nightlatch.run("unlock", "--home", folder.home, "--pin-fd", "0", pins: ["295038"])
        #expect(after.status == 0)
    }

    @Test("A read-only folder is reported; no PIN is tried and nothing is lost")
    func readOnlyFolder() async throws {
        // The superuser may write everywhere, so as root the command runs as another user.
        let isRoot = geteuid() == 0
        let owner: NSNumber = isRoot ? 65534 : NSNumber(value: geteuid())
        for path in [folder.path, folder.home, folder.vault, folder.vault + ".lock"] {
            try FileManager.default.setAttributes([.ownerAccountID: owner], ofItemAtPath: path)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.home)
        try await expectRefusal(
            "unlock",
            wrapper: isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [], status: 3,
            message: "does not allow")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.home)
    }
}
