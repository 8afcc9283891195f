import NightlatchWire

/// The record of a ``Registry``. It is empty until it is first written.
protocol RegistryRecord: RecordFormat, Equatable, Sendable {
    var revision: UInt64 { get set }

    /// Creates the record of a registry that was never written.
    init()

    /// Reads a stored record. Any encoding other than the one that this type writes is corrupt.
    init(_ stored: StoredRecord) throws(ReadingError)
}

extension RegistryRecord {
    /// Returns the record as it is stored, with the next revision.
    ///
    /// - Throws: `corrupt` after the greatest revision, because the written record could not be read back.
    func stored() throws(ReadingError) -> StoredRecord {
        var next = self
        next.revision += 1
        guard StoredRecord.revisions.contains(next.revision) else { throw Self.error(.corrupt) }
        return StoredRecord(revision: next.revision, bytes: [UInt8](StrictJSON.encode(next)))
    }
}

/// Reads a record and changes it by compare-and-swap, so concurrent calls lose no changes, even across processes.
struct Registry<Record: RegistryRecord>: Sendable {
    let store: any SecureStore

    /// Returns the current record.
    ///
    /// A written record is never removed. So if the store finds none, it is asked again: one wrong answer must not look
    /// like a registry that was never written.
    func read() async throws(Record.ReadingError) -> Record {
        var stored: StoredRecord?
        do {
            stored = try await store.read()
            if stored == nil { stored = try await store.read() }
        } catch {
            throw Record.error(.store(error))
        }
        guard let stored else { return Record() }
        return try Record(stored)
    }

    /// Changes the current record.
    ///
    /// If another caller writes first, `change` runs again on the new record. If `change` leaves the record unchanged,
    /// nothing is written.
    ///
    /// - Throws: The same errors as ``read()``, and a ``StoreError`` with a ``StoreError/reason`` if the change is
    ///   given up after conflicts.
    func update<Result>(_ change: (inout Record) -> Result) async throws(Record.ReadingError) -> Result {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds those.
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
                guard error.code == .conflict else { throw Record.error(.store(error)) }
            }
            do {
                try await retries.conflict(replacing: expected)
            } catch {
                throw Record.error(.store(error))
            }
        }
    }
}
