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

    @Test("says that there is nothing where there is nothing")
    func nothing() async throws {
        let findings = try await findings()
        #expect(findings.contains("  There is none. `nightlatch register` makes one."))
        #expect(findings.last == "  There are none.")
    }

    @Test("tells of each key that it finds what protects it, and who may read its file")
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
}
