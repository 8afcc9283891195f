import Foundation
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("A store that was set back to an older state")
struct SetbackTests {
    private let key = AuditKey(masterKey: .random())
    private let store = MemoryRelyingPartyStore(clock: TestTime.clock)

    private func write(_ count: Int) async throws {
        for index in 0..<count { try await store.audit(AuditEvent(.requestsRefused, by: .server, count: index)) }
    }

    private func head() async throws -> AuditHead { try #require(try await store.auditHeads().first) }

    @Test("A store that has gone on since its heads were exported was not set back")
    func goneOn() async throws {
        try await write(2)
        let heads = [try await head()]
        #expect(try await store.missing(heads).isEmpty)
        try await write(3)
        #expect(try await store.missing(heads + [try await head()]).isEmpty)
        #expect(try await store.missing([]).isEmpty)
    }

    @Test("A chain that is missing, shorter or different at its end is found")
    func setBack() async throws {
        try await write(2)
        let end = try await head()
        let longer = AuditHead(chain: end.chain, sequence: 5, hash: end.hash)
        let other = AuditHead(chain: end.chain, sequence: 2, hash: .start)
        let missing = AuditHead(chain: .random(), sequence: 1, hash: end.hash)
        func findings(_ heads: AuditHead...) async throws -> [AuditFinding] {
            try await store.missing(heads).map(\.finding)
        }
        #expect(try await findings(longer, end) == [.cutOff(end.chain, lastSequence: 2, exportedSequence: 5)])
        #expect(try await findings(other) == [.rewritten(end.chain, upTo: 2)])
        #expect(try await findings(end, missing) == [.cutOff(missing.chain, lastSequence: 0, exportedSequence: 1)])
    }

    @Test("An acceptance names the heads that are lost; the others count, whatever the clock shows and in any order")
    func accepted() async throws {
        try await write(2)
        let (kept, now) = (try await head(), TestTime.current)
        let lost = AuditHead(chain: kept.chain, sequence: 5, hash: .start)
        let later = AuditHead(chain: .random(), sequence: 1, hash: .start)
        let acceptance = try key.sign(lost: lost, at: now + .seconds(-3600))
        try await TemporaryFolder.with { folder in
            let file = AuditHeadFile(path: folder + "/heads")
            try file.append([
                try key.sign(kept, at: now), try key.sign(lost, at: now + .seconds(3600)), acceptance,
                try key.sign(later, at: now),
            ])
            #expect(try file.read(signedBy: key.publicKey).standingHeads == [kept, later])
            // An attacker who can only append to the file repeats old lines.
            try file.append([acceptance, try key.sign(kept, at: now)])
            #expect(try file.read(signedBy: key.publicKey).standingHeads == [kept, later, kept])
            try file.append([try AuditKey(masterKey: .random()).sign(lost: later, at: now)])
            let contents = try file.read(signedBy: key.publicKey)
            #expect(contents.standingHeads == [kept, later, kept] && contents.refusedLines == [7])
            #expect(!contents.isForeign)
            #expect(try file.read(signedBy: AuditKey(masterKey: .random()).publicKey).isForeign)
        }
    }

    @Test("A relying party does not start on such a store, or if the file of heads cannot be read")
    func start() async throws {
        let masterKey = MasterKey.random()
        let key = AuditKey(masterKey: masterKey)
        try await write(2)
        let lost = AuditHead(chain: .random(), sequence: 7, hash: try await head().hash)
        try await TemporaryFolder.with { folder in
            let file = AuditHeadFile(path: folder + "/heads")
            var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
            configuration.auditHeadSchedule = AuditHeadSchedule(file: file)
            let (settings, backendKey) = (configuration, try #require(BackendKey(rawValue: "key")))
            func start() async throws(RelyingPartyStartError) {
                _ = try await buildApplication(
                    configuration: settings, store: store, masterKey: masterKey, backendKey: backendKey,
                    clock: TestTime.clock)
            }
            try await start()
            try file.append([try key.sign(lost, at: TestTime.current)])
            let finding = AuditFinding.cutOff(lost.chain, lastSequence: 0, exportedSequence: 7)
            await #expect(throws: RelyingPartyStartError.setBack([finding], file: file.path)) { try await start() }
            try file.append([try key.sign(lost: lost, at: TestTime.current)])
            try await start()

            try FileManager.default.removeItem(atPath: file.path)
            try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
            await #expect(throws: RelyingPartyStartError.auditHeads(.failed(errno: EISDIR), file: file.path)) {
                try await start()
            }
        }
    }
}
