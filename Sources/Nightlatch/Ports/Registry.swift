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
    func stored() -> StoredRecord {
        var next = self
        next.revision += 1
        return StoredRecord(revision: next.revision, bytes: [UInt8](StrictJSON.encode(next)))
    }
}

/// Reads a record and changes it by compare-and-swap, so that two calls, in two processes too, lose none of their changes.
struct Registry<Record: RegistryRecord>: Sendable {
    let store: any SecureStore

    func read() async throws(Record.ReadingError) -> Record {
        let stored: StoredRecord?
        do {
            stored = try await store.read()
        } catch {
            throw .store(error)
        }
        guard let stored else { return Record() }
        return try Record(stored)
    }

    /// Changes the record as it stands. `change` runs again on a new reading if someone else has written; what changes nothing is not
    /// written.
    func update<Result>(_ change: (inout Record) -> Result) async throws(Record.ReadingError) -> Result {
        while true {
            let before = try await read()
            var record = before
            let result = change(&record)
            guard record != before else { return result }
            do {
                try await store.replace(record.stored(), expecting: before.revision == 0 ? nil : before.revision)
                return result
            } catch {
                guard error.code == .conflict else { throw .store(error) }
            }
        }
    }
}
