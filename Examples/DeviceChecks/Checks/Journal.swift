import Foundation
import Nightlatch

/// The memory of the app between starts: the states of the checks, and the notes of those that wait.
///
/// It is in the Keychain, because a check of the app's removal must find it after the removal.
struct Journal: Codable, Hashable, Sendable {
    private var checks: [DeviceReport.Check] = []
    private var notes: [String: Facts] = [:]

    subscript(_ assumption: Assumption) -> (state: CheckState, notes: Facts) {
        let check = checks.first { $0.id == assumption }
        return (check?.checkState ?? .notRun, notes[assumption.rawValue] ?? [:])
    }

    /// Records the end of a run. An undecided run changes nothing.
    mutating func record(_ outcome: CheckOutcome, of assumption: Assumption, at time: String) {
        let state: CheckState
        switch outcome {
        case .done(let verdict, let facts):
            (state, notes[assumption.rawValue]) = (.done(verdict, facts, time: time), nil)
        case .waiting(let step, let new): (state, notes[assumption.rawValue]) = (.waiting(step), new)
        case .undecided: return
        }
        checks.removeAll { $0.id == assumption }
        checks.append(DeviceReport.Check(assumption, state))
    }
}

/// The journal's place. A second process of the app may use it at the same time.
struct JournalStore: Sendable {
    let store: any SecureStore

    /// Returns the journal, or nil if there is none.
    func read() async throws(StoreError) -> Journal? {
        try await store.read().map { record throws(StoreError) in try decode(record) }
    }

    /// Changes the journal. Repeats the change if another process was first.
    func update(_ change: (inout Journal) -> Void) async throws(StoreError) {
        for _ in 0..<10 {
            let record = try await store.read()
            var journal = try record.map { record throws(StoreError) in try decode(record) } ?? Journal()
            change(&journal)
            guard let bytes = try? JSONEncoder().encode(journal) else { throw StoreError(.corrupt) }
            let isWritten = try await CompareAndSwap.succeeds { () async throws(StoreError) in
                try await store.replace(
                    StoredRecord(revision: (record?.revision ?? 0) + 1, bytes: [UInt8](bytes)),
                    expecting: record?.revision)
            }
            if isWritten { return }
        }
        throw StoreError(.conflict)
    }

    private func decode(_ record: StoredRecord) throws(StoreError) -> Journal {
        guard let journal = try? JSONDecoder().decode(Journal.self, from: Data(record.bytes)) else {
            throw StoreError(.corrupt)
        }
        return journal
    }
}
