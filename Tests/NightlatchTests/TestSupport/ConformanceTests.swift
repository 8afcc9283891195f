import Nightlatch
import NightlatchTesting
import Testing

/// A conformance check is only useful if it detects a defective store.
@Suite("Conformance checks of stores")
struct ConformanceTests {
    enum Defect: CaseIterable {
        case overwrites, forgetsWrites, neverRemoves, removesAnything, erasesNothing, cutsRecords, swallowsConflicts
        case takesWhatItCannotRead, refusesLargeRecordsWithoutAReason, cannotHoldAVault
    }

    @Test("A store with a defect fails at least one check", arguments: Defect.allCases)
    func defect(defect: Defect) async {
        var broken: [SecureStoreConformance] = []
        for promise in SecureStoreConformance.allCases {
            let store = DefectiveStore(defect: defect)
            do {
                try await promise.check { store }
            } catch {
                broken.append(promise)
            }
        }
        #expect(!broken.isEmpty)
    }

    private struct DefectiveStore: SecureStore {
        let defect: Defect
        private let base = MemoryStore()

        init(defect: Defect) {
            self.defect = defect
        }

        var guarantees: StoreGuarantees { base.guarantees }

        func read() async throws(StoreError) -> StoredRecord? {
            let record = try await base.read()
            guard defect != .takesWhatItCannotRead || record?.bytes.count ?? 0 <= 512 * 1024 else {
                throw StoreError(.corrupt)
            }
            return record
        }

        func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
            switch defect {
            case .overwrites: base.plant(record)
            case .forgetsWrites: break
            case .cutsRecords:
                let cut = StoredRecord(revision: record.revision, bytes: Array(record.bytes.prefix(64 * 1024)))
                try await base.replace(cut, expecting: expected)
            case .swallowsConflicts:
                do {
                    try await base.replace(record, expecting: expected)
                } catch {
                    guard error.code == .conflict else { throw error }
                }
            case .refusesLargeRecordsWithoutAReason where record.bytes.count > 1024 * 1024:
                throw StoreError(.unavailable)
            case .cannotHoldAVault where record.bytes.count > 256 * 1024: throw StoreError(.full)
            default: try await base.replace(record, expecting: expected)
            }
        }

        func remove(expecting expected: UInt64) async throws(StoreError) {
            switch defect {
            case .neverRemoves: break
            case .removesAnything: base.plant(nil)
            default: try await base.remove(expecting: expected)
            }
        }

        func erase() async throws(StoreError) {
            if defect != .erasesNothing { try await base.erase() }
        }
    }
}
