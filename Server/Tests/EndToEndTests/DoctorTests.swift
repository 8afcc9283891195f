import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

@Suite("The doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func findings() async throws -> [Substring] {
        let outcome = try await Nightlatch.run("doctor", "--home", folder.home)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n")
    }

    @Test("The doctor reports that there is no vault and no key")
    func nothing() async throws {
        let findings = try await findings()
        #expect(findings.contains("  There is none. `nightlatch bind` creates one."))
        #expect(findings.last == "  There are none.")
    }

    @Test("For each key, the doctor reports its protection and the users that can read its file")
    func keys() async throws {
        let keys = SoftwareDeviceKeys(folder: folder.home + "/keys")
        let tags = (sealed: KeyTag.random(), open: KeyTag.random(), damaged: KeyTag.random())
        _ = try await keys.create(tags.sealed, access: .applicationPassword(.random(byteCount: 32)))
        _ = try await keys.create(tags.open, access: .unattended)
        func path(_ tag: KeyTag) -> String { "\(folder.home)/keys/\(tag.rawValue).key" }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path(tags.open))
        #expect(
            FileManager.default.createFile(
                atPath: path(tags.damaged), contents: Data("no key".utf8), attributes: [.posixPermissions: 0o600]))

        let findings = try await findings()
        func expect(_ tag: KeyTag, _ protection: String, _ access: String) throws {
            let index = try #require(findings.firstIndex { $0 == "  \(tag.rawValue).key" })
            #expect(findings[index + 1].contains(protection), "\(findings)")
            #expect(findings[index + 2].contains(access), "\(findings)")
        }
        try expect(tags.sealed, "sealed under a password in the vault", "cannot read the file (mode 0600)")
        try expect(
            tags.open, "Software, open", "WARNING: other users of this machine can read or write the file (mode 0644)")
        try expect(tags.damaged, "WARNING: damaged", "cannot read the file (mode 0600)")
        let lineCount = 12
        #expect(findings.count == lineCount, "\(findings)")
    }

    private func makeVault() async throws {
        let vault = Vault(
            store: FileStore(path: folder.vault), clock: SystemLockoutClock(),
            configuration: VaultConfiguration(keyDerivation: .pbkdf2Default))
        await (try vault.create(with: try Pin(digits: SecretBytes(copying: Array("295038".utf8))))).lock()
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test("The doctor warns of each folder in which other users could replace the vault")
    func openFolders() async throws {
        try await makeVault()
        try setMode(0o700, of: folder.path)
        #expect(try await findings().contains("  Other users of this machine cannot replace it."))

        try setMode(0o777, of: folder.home)
        let inner = try await findings().filter { $0.contains("WARNING") }
        #expect(inner.count == 1 && inner[0].contains("\(folder.home) has mode 0777"), "\(inner)")

        try setMode(0o770, of: folder.path)
        try setMode(0o700, of: folder.home)
        let outer = try await findings().filter { $0.contains("WARNING") }
        #expect(outer.count == 1 && outer[0].contains("\(folder.path) has mode 0770"), "\(outer)")
    }

    /// Tries it for real, in a time namespace with a clock that is a day ahead.
    @Test("The doctor warns that a wait can be skipped where the system lets programs do so")
    func timeNamespaces() async throws {
        try await makeVault()
        for _ in 0..<3 { #expect(try await folder.device("unlock", pins: ["860527"]).status == 1) }
        let waiting = try await folder.device("unlock", pins: ["295038"])
        #expect(waiting.status == 1 && waiting.errors.contains("then 7 attempts are left"), "\(waiting.errors)")
        let isTold = try await findings().contains { $0.contains("can skip a wait") }
        let ahead = try await Nightlatch.run(
            ["unlock", "--home", folder.home, "--pin-fd", "0"], pins: ["295038"],
            wrapper: ["unshare", "--user", "--map-root-user", "--time", "--boottime", "86400"])
        #expect((ahead.status == 0) == isTold, "\(ahead.errors)")
    }
}
