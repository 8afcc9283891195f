import Foundation
import Logging
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Export of the audit log's heads")
struct AuditHeadExportTests {
    private let key = AuditKey(masterKey: .random())
    private let store = MemoryRelyingPartyStore(clock: TestTime.clock)

    private func newExport(to file: AuditHeadFile) -> AuditHeadExport<MemoryRelyingPartyStore> {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return AuditHeadExport(
            store: store, key: key, schedule: AuditHeadSchedule(file: file), clock: TestTime.clock, logger: logger)
    }

    private func write(_ count: Int) async throws {
        for index in 0..<count {
            try await store.audit(AuditEvent(.requestsRefused, by: .server, count: index))
        }
    }

    @Test("A head is appended when it has changed, and no line is ever changed")
    func appends() async throws {
        try await TemporaryFolder.with { folder in
            let file = AuditHeadFile(path: folder + "/heads")
            let export = newExport(to: file)
            try await export.export()
            #expect(throws: AuditHeadFileError.missing) { try file.read(signedBy: key.publicKey) }

            try await write(3)
            try await export.export()
            let first = try Data(contentsOf: URL(fileURLWithPath: file.path))
            try await export.export()
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == first)

            try await write(2)
            try await export.export()
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)).starts(with: first))
            let contents = try file.read(signedBy: key.publicKey)
            #expect(contents.heads.map(\.head.sequence) == [3, 5] && contents.refusedLines.isEmpty)
            #expect(try await store.auditHeads() == contents.heads.suffix(1).map(\.head))
        }
    }

    @Test("After a restart the export continues at the end of the file, even after a partly written line")
    func startsAgain() async throws {
        try await TemporaryFolder.with { folder in
            let file = AuditHeadFile(path: folder + "/heads")
            try await write(3)
            try await newExport(to: file).export()
            try await newExport(to: file).export()
            #expect(try file.read(signedBy: key.publicKey).heads.count == 1)

            let whole = try Data(contentsOf: URL(fileURLWithPath: file.path))
            try (whole + whole.prefix(100)).write(to: URL(fileURLWithPath: file.path))
            try await write(1)
            try await newExport(to: file).export()
            let contents = try file.read(signedBy: key.publicKey)
            #expect(contents.heads.map(\.head.sequence) == [3, 4])
            #expect(contents.refusedLines == [2])
        }
    }

    @Test("A head that could not be exported is exported the next time")
    func fileUnavailable() async throws {
        try await TemporaryFolder.with { folder in
            let file = AuditHeadFile(path: folder + "/later/heads")
            try await write(3)
            let export = newExport(to: file)
            await #expect(throws: AuditHeadFileError.failed(errno: ENOENT)) { try await export.export() }
            try FileManager.default.createDirectory(atPath: folder + "/later", withIntermediateDirectories: false)
            try await export.export()
            #expect(try file.read(signedBy: key.publicKey).heads.map(\.head.sequence) == [3])
        }
    }

    @Test(
        "Lines that are not heads of this relying party are reported by number, and the other lines count",
        arguments: [Data("no head".utf8), Data(repeating: 0xFF, count: 20), Data(repeating: 0x41, count: 5000)])
    func foreignLines(line: Data) async throws {
        try await write(1)
        let head = try #require(try await store.auditHeads().first)
        let own = try key.sign(head, at: TestTime.current)
        let foreign = try AuditKey(masterKey: .random()).sign(head, at: TestTime.current)
        try await TemporaryFolder.with { folder in
            let file = AuditHeadFile(path: folder + "/heads")
            try (line + Data("\n\n\(own)\n\(foreign)\n".utf8)).write(to: URL(fileURLWithPath: file.path))
            let contents = try file.read(signedBy: key.publicKey)
            #expect(contents.heads.map(\.head) == [head] && contents.refusedLines == [1, 4])
        }
    }
}
