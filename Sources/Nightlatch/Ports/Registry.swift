import NightlatchWire

/// A record of a ``Registry``: empty as long as it was never written.
protocol RegistryRecord: RecordFormat, Equatable, Sendable {
    var revision: UInt64 { get set }

    /// One that was never written.
    init()

    /// Reads a record as it was written, and nothing else: what would be written differently is corrupt.
    init(_ stored: StoredRecord) throws(ReadingError)
}

extension RegistryRecord {
    /// The record as it is stored with the next revision.
    ///
    /// - Throws: `corrupt` after the greatest revision: what could not be read back is not written.
    func stored() throws(ReadingError) -> StoredRecord {
        var next = self
        next.revision += 1
        guard StoredRecord.revisions.contains(next.revision) else { throw .corrupt }
        return StoredRecord(revision: next.revision, bytes: [UInt8](StrictJSON.encode(next)))
    }
}

/// Reads a record and changes it by compare-and-swap, so that two calls, in two processes too, lose none of their changes.
struct Registry<Record: RegistryRecord>: Sendable {
    let store: any SecureStore

    /// The record as it stands. A record that was written is never removed, so a store that finds none is asked twice: one wrong answer
    /// must not look like a registry that was never written.
    func read() async throws(Record.ReadingError) -> Record {
        var stored: StoredRecord?
        do {
            stored = try await store.read()
            if stored == nil { stored = try await store.read() }
        } catch {
            throw .store(error)
        }
        guard let stored else { return Record() }
        return try Record(stored)
    }

    /// Changes the record as it stands. `change` runs again on a new reading if someone else has written; what changes nothing is not
    /// written.
    ///
    /// - Throws: As ``read()``, and with ``StoreError/reason`` if the change is given up after conflicts.
    func update<Result>(_ change: (inout Record) -> Result) async throws(Record.ReadingError) -> Result {
        var retries = ConflictRetries()
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            let before = try await read()
            var record = before
            let result = change(&record)
            guard record != before else { return result }
            let expected = before.revision == 0 ? nil : before.revision
            let next = try record.stored()
            do {
                try await store.replace(next, expecting: expected)
                return result
            } catch {
                guard error.code == .conflict else { throw .store(error) }
            }
            do {
                try await retries.conflict(replacing: expected)
            } catch {
                throw .store(error)
            }
        }
    }
}
