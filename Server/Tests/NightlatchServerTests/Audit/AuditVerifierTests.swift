import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Verification of the audit log's chain")
struct AuditVerifierTests {
    private let chain: AuditChainID
    private let rows: [AuditRow]
    private let heads: [AuditHead]

    init() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        for index in 1...10 {
            try await store.audit(AuditEvent(.requestsRefused, by: .device, problem: .messageRefused, count: index))
        }
        let head = try #require(try await store.auditHeads().first)
        chain = head.chain
        rows = try await store.auditRows(after: nil, limit: 100)
        heads = try rows.map { row in
            AuditHead(
                chain: head.chain, sequence: row.place.sequence, hash: try #require(AuditHash(rawValue: row.hash)))
        }
        #expect(rows.count == 10 && heads.last == head)
    }

    @Test("An intact chain has no findings, also against each of its heads")
    func whole() {
        #expect(findings(rows, heads: []).isEmpty)
        #expect(findings(rows, heads: heads).isEmpty)
    }

    @Test("A changed entry is found at its position, whatever was changed in it", arguments: 1...10)
    func changed(sequence: Int) throws {
        let row = rows[sequence - 1]
        let entry = try #require(AuditEntry(row))
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
                    == [.changed(chain, sequence: sequence)])
        }
        for body in [[], Array("{}".utf8), row.body + [0x20], Array(row.body.dropLast())] {
            #expect(
                findings(replacing(sequence, body: body, hash: row.hash), heads: [])
                    == [.misplaced(chain, sequence: sequence)])
        }
    }

    @Test("Removed entries are found, with their number", arguments: [1...1, 4...4, 2...5, 1...9])
    func removed(sequences: ClosedRange<Int>) {
        let left = rows.filter { !sequences.contains($0.place.sequence) }
        #expect(findings(left, heads: []) == [.removed(chain, sequences: sequences)])
    }

    @Test("Reordered entries are found")
    func reordered() {
        var swapped = rows
        swapped[3] = row(4, rows[4])
        swapped[4] = row(5, rows[3])
        #expect(
            findings(swapped, heads: []).prefix(2)
                == [.misplaced(chain, sequence: 4), .misplaced(chain, sequence: 5)])
    }

    @Test("An entry inserted before the first one is found, and no other entry is doubted")
    func planted() throws {
        for sequence in [0, -7, Int.min] {
            let entry = try #require(AuditEntry(rows[0]))
            let body = AuditEntry(chain: chain, sequence: sequence, at: entry.at, event: entry.event).bytes
            let planted = AuditRow(
                place: AuditPlace(chain: chain.rawValue, sequence: sequence), body: body, hash: rows[0].hash,
                at: rows[0].at, user: rows[0].user)
            #expect(findings([planted] + rows, heads: heads) == [.misplaced(chain, sequence: sequence)])
        }
    }

    @Test("An entry with an invalid hash is found, and the entry after it is not blamed", arguments: ["", "AAAA"])
    func noHash(hash: String) {
        let changed = replacing(4, body: rows[3].body, hash: hash)
        #expect(findings(changed, heads: []) == [.changed(chain, sequence: 4)])
        #expect(findings(changed, heads: heads) == [.changed(chain, sequence: 4), .rewritten(chain, upTo: 4)])
    }

    @Test("An entry that was moved to another user or another time is found")
    func listedElsewhere() {
        for (at, user) in [(rows[3].at, "mallory"), (rows[3].at + .seconds(1), rows[3].user)] {
            var hidden = rows
            hidden[3] = AuditRow(
                place: rows[3].place, body: rows[3].body, hash: rows[3].hash, at: at, user: user)
            #expect(findings(hidden, heads: []) == [.misfiled(chain, sequence: 4)])
        }
    }

    @Test("A truncated or restored chain is found only by an exported head")
    func cutOff() throws {
        let cut = Array(rows.prefix(6))
        #expect(findings(cut, heads: []).isEmpty)
        #expect(findings(cut, heads: [heads[5]]).isEmpty)
        #expect(findings(cut, heads: heads) == [.cutOff(chain, lastSequence: 6, exportedSequence: 10)])
        #expect(findings([], heads: [heads[2]]) == [.cutOff(chain, lastSequence: 0, exportedSequence: 3)])
    }

    @Test("A chain that was rewritten with all its hashes is found by an exported head")
    func rewritten() throws {
        var (forged, last): ([AuditRow], AuditHash) = ([], .start)
        for row in rows {
            var entry = try #require(AuditEntry(row))
            if entry.sequence == 4 {
                var event = entry.event
                event.count = 0
                entry = AuditEntry(chain: entry.chain, sequence: 4, at: entry.at, event: event)
            }
            last = AuditHash(of: entry.bytes, after: last)
            forged.append(
                AuditRow(place: row.place, body: entry.bytes, hash: last.rawValue, at: row.at, user: row.user))
        }
        #expect(findings(forged, heads: [heads[2]]).isEmpty)
        #expect(findings(forged, heads: [heads[8]]) == [.rewritten(chain, upTo: 9)])
    }

    @Test("Two contradictory heads are reported")
    func contradictory() {
        let other = AuditHead(chain: chain, sequence: 7, hash: heads[5].hash)
        #expect(findings(rows, heads: [heads[6], other]).contains(.contradictoryHeads(chain, sequence: 7)))
    }

    @Test("Entries of another chain are found")
    func foreign() async throws {
        let other = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await other.audit(AuditEvent(.loggedIn, by: .device))
        let foreign = try #require(try await other.auditRows(after: nil, limit: 1).first)
        var mixed = rows
        mixed[0] = row(1, foreign)
        #expect(findings(mixed, heads: []).first == .misplaced(chain, sequence: 1))
    }

    /// The rows of a store with two entries about users, one of them with claims.
    private static func personalRows() async throws -> (AuditChainID, [AuditRow]) {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        var event = AuditEvent(.journeySigned, by: .device, user: try Fixture.alice())
        event.claims = #"{"a":1}"#
        try await store.audit(AuditEvent(.loggedIn, by: .device, user: try Fixture.bob()))
        try await store.audit(event)
        let rows = try await store.auditRows(after: nil, limit: 9)
        #expect(rows.compactMap(AuditEntry.init).map(\.event.user) == [try Fixture.bob(), try Fixture.alice()])
        #expect(rows.compactMap(AuditEntry.init).last?.event.claims == event.claims)
        return (try #require(try await store.auditHeads().first?.chain), rows)
    }

    @Test("A changed user, and changed claims, are found although the chain has only a hash of them")
    func changedPersonalPart() async throws {
        let (chain, rows) = try await Self.personalRows()
        for row in rows { #expect(!String(decoding: row.body, as: UTF8.self).contains(try #require(row.user))) }
        let personal = try #require(rows[1].personal)
        let other = [0xFF ^ personal[0]] + personal.dropFirst()
        for changed in [other, Array(personal.dropLast()), personal + [0x20], [], rows[0].personal ?? []] {
            var forged = rows
            forged[1] = AuditRow(
                place: rows[1].place, body: rows[1].body, personal: changed, hash: rows[1].hash, at: rows[1].at,
                user: rows[1].user)
            var verifier = AuditVerifier(chain: chain, heads: [])
            for row in forged { verifier.check(row) }
            #expect(verifier.finish() == [.changed(chain, sequence: 2)])
            #expect(AuditEntry(forged[1]) == nil)
        }
    }

    @Test("The hashes of two entries about one user differ, so a hash confirms no guess at the user")
    func salted() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let event = AuditEvent(.loggedIn, by: .device, user: try Fixture.alice())
        for _ in 0..<2 { try await store.audit(event) }
        let rows = try await store.auditRows(after: nil, limit: 9)
        let hashes = rows.compactMap { row in
            String(decoding: row.body, as: UTF8.self).firstMatch(of: /"personal_hash":"([\w-]{43})"/)?.1
        }
        #expect(hashes.count == 2 && Set(hashes).count == 2)
        let salted = rows.compactMap { $0.personal?.dropFirst(16) }
        #expect(salted == Array(repeating: Array(#"{"user":"alice"}"#.utf8)[...], count: 2))
        #expect(rows.compactMap(AuditEntry.init).map(\.event) == [event, event])
    }

    @Test(
        "The personal part has the user, the key that the client has named, and the claims; the entry has none of them")
    func personalPart() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        var event = AuditEvent(.journeySigned, by: .device, user: try Fixture.alice())
        let key: JourneyKeyID = try #require(JourneyKeyID(rawValue: "alice@example.com"))
        (event.journeyKey, event.claims) = (key, "signed by Alice")
        try await store.audit(event)
        let row = try #require(try await store.auditRows(after: nil, limit: 9).first)
        let body = String(decoding: row.body, as: UTF8.self).lowercased()
        #expect(!body.contains("alice") && !body.contains("claims") && !body.contains("journey_key"))
        #expect(AuditEntry(row)?.event == event)
        #expect(String(decoding: row.personal ?? [], as: UTF8.self).contains("alice@example.com"))
    }

    @Test("Planted entries that state more deletions than a number can count do not stop the verification")
    func plantedCounts() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        var event = AuditEvent(.userDeleted, by: .operator, count: .max)
        let pseudonym: UserID = try #require(UserID(rawValue: "deleted-planted"))
        event.pseudonym = pseudonym
        for _ in 0..<2 { try await store.audit(event) }
        #expect(try await AuditSteps.findings(in: store).isEmpty)
        event.count = -1
        try await store.audit(event)
        #expect(try await AuditSteps.findings(in: store).isEmpty)
    }

    @Test("An entry that names its user, as an earlier version wrote it, is verified too")
    func earlierFormat() throws {
        let alice = try Fixture.alice()
        let entry = AuditEntry(
            chain: chain, sequence: 1, at: TestTime.start, event: AuditEvent(.loggedIn, by: .device, user: alice))
        let hash = AuditHash(of: entry.bytes, after: .start).rawValue
        let place = AuditPlace(chain: chain.rawValue, sequence: 1)
        let row = AuditRow(place: place, body: entry.bytes, hash: hash, at: TestTime.start, user: "alice")
        #expect(AuditEntry(row) == entry && findings([row], heads: []).isEmpty)
        let hidden = AuditRow(place: place, body: entry.bytes, hash: hash, at: TestTime.start, user: "deleted-x")
        #expect(findings([hidden], heads: []) == [.misfiled(chain, sequence: 1)])
    }

    private func replacing(_ sequence: Int, body: [UInt8], hash: String) -> [AuditRow] {
        var changed = rows
        let old = rows[sequence - 1]
        changed[sequence - 1] = AuditRow(place: old.place, body: body, hash: hash, at: old.at, user: old.user)
        return changed
    }

    /// Returns the content of `row` at another position of the chain.
    private func row(_ sequence: Int, _ row: AuditRow) -> AuditRow {
        AuditRow(
            place: AuditPlace(chain: chain.rawValue, sequence: sequence), body: row.body, hash: row.hash, at: row.at,
            user: row.user)
    }

    private func findings(_ rows: [AuditRow], heads: [AuditHead]) -> [AuditFinding] {
        var verifier = AuditVerifier(chain: chain, heads: heads)
        for row in rows { verifier.check(row) }
        return verifier.finish()
    }
}
