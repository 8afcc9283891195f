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
        #expect(try await store.setbacks(from: heads) == [])
        try await write(3)
        #expect(try await store.setbacks(from: heads + [try await head()]) == [])
        #expect(try await store.setbacks(from: []) == [])
    }

    @Test("A chain that is missing, shorter or different at its end is found")
    func setBack() async throws {
        try await write(2)
        let end = try await head()
        let longer = AuditHead(chain: end.chain, sequence: 5, hash: end.hash)
        let other = AuditHead(chain: end.chain, sequence: 2, hash: .start)
        let missing = AuditHead(chain: .random(), sequence: 1, hash: end.hash)
        #expect(
            try await store.setbacks(from: [longer, end])
                == [.cutOff(end.chain, lastSequence: 2, exportedSequence: 5)])
        #expect(try await store.setbacks(from: [other]) == [.rewritten(end.chain, upTo: 2)])
        #expect(
            try await store.setbacks(from: [end, missing])
                == [.cutOff(missing.chain, lastSequence: 0, exportedSequence: 1)])
    }

    @Test("After an accepted restore only heads from then on count, wherever the line with the acceptance is")
    func accepted() async throws {
        try await write(2)
        let (old, now) = (try await head(), TestTime.current)
        let new = AuditHead(chain: old.chain, sequence: 1, hash: old.hash)
        let lines = [
            try key.sign(old, at: now), try key.signRestore(at: now + .seconds(60)),
            try key.sign(new, at: now + .seconds(60)),
        ]
        try await TemporaryFolder.with { folder in
            let file = AuditHeadFile(path: folder + "/heads")
            try file.append(lines)
            #expect(try file.read(signedBy: key.publicKey).standingHeads == [new])
            // Somebody who can only append to the file repeats an old line.
            try file.append([try key.sign(old, at: now + .seconds(120)), lines[1]])
            #expect(try file.read(signedBy: key.publicKey).standingHeads == [new, old])
            let foreign = try AuditKey(masterKey: .random()).signRestore(at: now + .seconds(180))
            try file.append([foreign])
            let contents = try file.read(signedBy: key.publicKey)
            #expect(contents.standingHeads == [new, old] && contents.refusedLines == [6])
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
            await #expect(
                throws: RelyingPartyStartError.setBack([
                    .cutOff(lost.chain, lastSequence: 0, exportedSequence: 7)
                ])
            ) { try await start() }
            try file.append([try key.signRestore(at: TestTime.current + .seconds(1))])
            try await start()

            try FileManager.default.removeItem(atPath: file.path)
            try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
            await #expect(throws: RelyingPartyStartError.auditHeads(.failed(errno: EISDIR))) { try await start() }
        }
    }
}
