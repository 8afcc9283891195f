import NightlatchServer
import NightlatchWire
import Testing

@Suite("The audit log's chain")
struct AuditVerifierTests {
    private let chain = AuditChainID.random()
    private let rows: [AuditRow]

    init() async throws {
        let store = MemoryStore(clock: TestTime.clock)
        for index in 1...10 {
            try await store.audit(AuditEvent(.requestsRefused, by: .device, problem: .messageRefused, count: index))
        }
        let head = try #require(try await store.auditHeads().first)
        rows = try await store.auditRows(of: head.chain, after: 0, limit: 100)
        #expect(rows.count == 10 && rows.last?.head == head)
    }

    @Test("A chain that nobody touched holds, also against every head of it")
    func whole() {
        #expect(findings(rows, heads: []).isEmpty)
        #expect(findings(rows, heads: rows.map(\.head)).isEmpty)
    }

    @Test("RP7: a changed entry is found where it stands, whatever in it was changed", arguments: 1...10)
    func changed(sequence: Int) throws {
        let row = rows[sequence - 1]
        let entry = try #require(AuditEntry(bytes: row.body))
        var events = [entry.event, entry.event, entry.event]
        events[0].count = 99
        events[1].kind = .loggedIn
        events[2].user = try Fixture.alice()
        var bodies = events.map {
            AuditEntry(chain: entry.chain, sequence: entry.sequence, at: entry.at, event: $0).bytes
        }
        bodies.append(
            AuditEntry(chain: entry.chain, sequence: sequence, at: entry.at + .seconds(1), event: entry.event).bytes)
        for body in bodies {
            #expect(
                findings(replacing(sequence, body: body, hash: row.hash), heads: [])
                    == [.changed(row.chain, sequence: sequence)])
        }
        for body in [[], Array("{}".utf8), row.body + [0x20], Array(row.body.dropLast())] {
            #expect(
                findings(replacing(sequence, body: body, hash: row.hash), heads: [])
                    == [.misplaced(row.chain, sequence: sequence)])
        }
    }

    @Test("RP7: an entry that was removed is found, with how many", arguments: [1...1, 4...4, 2...5, 1...9])
    func removed(sequences: ClosedRange<Int>) {
        let left = rows.filter { !sequences.contains($0.sequence) }
        #expect(findings(left, heads: []) == [.removed(rows[0].chain, sequences: sequences)])
    }

    @Test("RP7: entries that changed places are found")
    func reordered() {
        var swapped = rows
        swapped[3] = row(4, rows[4])
        swapped[4] = row(5, rows[3])
        #expect(
            findings(swapped, heads: []).prefix(2)
                == [.misplaced(rows[0].chain, sequence: 4), .misplaced(rows[0].chain, sequence: 5)])
    }

    @Test(
        "RP7: an entry that was taken out of a user's list, put into another's, or listed under another time is found")
    func listedElsewhere() {
        for (at, user) in [(rows[3].at, "mallory"), (rows[3].at + .seconds(1), rows[3].user)] {
            var hidden = rows
            hidden[3] = AuditRow(
                chain: rows[3].chain, sequence: 4, body: rows[3].body, hash: rows[3].hash, at: at, user: user)
            #expect(findings(hidden, heads: []) == [.misfiled(rows[0].chain, sequence: 4)])
        }
    }

    @Test("RP7: a chain that was cut off or put back is found by a head that was exported, and by nothing else")
    func cutOff() throws {
        let cut = Array(rows.prefix(6))
        #expect(findings(cut, heads: []).isEmpty)
        #expect(findings(cut, heads: [rows[5].head]).isEmpty)
        #expect(
            findings(cut, heads: rows.map(\.head))
                == [.cutOff(rows[0].chain, lastSequence: 6, exportedSequence: 10)])
        #expect(
            findings([], heads: [rows[2].head]) == [.cutOff(rows[0].chain, lastSequence: 0, exportedSequence: 3)])
    }

    @Test("RP7: a chain that was written anew with all its hashes is found by a head that was exported")
    func rewritten() throws {
        var forged: [AuditRow] = []
        for row in rows {
            var entry = try #require(AuditEntry(bytes: row.body))
            if entry.sequence == 4 {
                var event = entry.event
                event.count = 0
                entry = AuditEntry(chain: entry.chain, sequence: 4, at: entry.at, event: event)
            }
            let hash = AuditHash(of: entry.bytes, after: forged.last?.hash ?? .start)
            forged.append(
                AuditRow(
                    chain: row.chain, sequence: row.sequence, body: entry.bytes, hash: hash, at: row.at, user: row.user)
            )
        }
        #expect(findings(forged, heads: [rows[2].head]).isEmpty)
        #expect(findings(forged, heads: [rows[8].head]) == [.rewritten(rows[0].chain, upTo: 9)])
    }

    @Test("Two heads that contradict each other are told")
    func contradictory() {
        let other = AuditHead(chain: rows[6].chain, sequence: 7, hash: rows[5].hash)
        #expect(
            findings(rows, heads: [rows[6].head, other]).contains(.contradictoryHeads(rows[0].chain, sequence: 7)))
    }

    @Test("Entries of another chain, put where they never were, are found")
    func foreign() async throws {
        let other = MemoryStore(clock: TestTime.clock)
        try await other.audit(AuditEvent(.loggedIn, by: .device))
        let head = try #require(try await other.auditHeads().first)
        let foreign = try #require(try await other.auditRows(of: head.chain, after: 0, limit: 1).first)
        var mixed = rows
        mixed[0] = row(1, foreign)
        #expect(findings(mixed, heads: []).first == .misplaced(rows[0].chain, sequence: 1))
    }

    private func replacing(_ sequence: Int, body: [UInt8], hash: AuditHash) -> [AuditRow] {
        var changed = rows
        let old = rows[sequence - 1]
        changed[sequence - 1] = AuditRow(
            chain: old.chain, sequence: sequence, body: body, hash: hash, at: old.at, user: old.user)
        return changed
    }

    /// What `row` says, put at another place of the chain.
    private func row(_ sequence: Int, _ row: AuditRow) -> AuditRow {
        AuditRow(
            chain: rows[0].chain, sequence: sequence, body: row.body, hash: row.hash, at: row.at, user: row.user)
    }

    private func findings(_ rows: [AuditRow], heads: [AuditHead]) -> [AuditFinding] {
        var verifier = AuditVerifier(chain: self.rows[0].chain, heads: heads)
        for row in rows { verifier.check(row) }
        return verifier.finish()
    }
}
