import Nightlatch
import NightlatchTesting
import Testing

@Suite("Conformance checks of record keys")
struct RecordKeyConformanceTests {
    @Test("The key in memory passes every check", arguments: RecordKeyConformance.allCases)
    func memory(promise: RecordKeyConformance) async throws {
        let key = MemoryRecordKey()
        try await promise.check { key }
    }

    @Test("A separate key for every owner fails a check")
    func manyKeys() async throws {
        await #expect(throws: ConformanceFailure.self) {
            try await RecordKeyConformance.aSecondOwnerOfTheKeyMakesTheSameMAC.check { MemoryRecordKey() }
        }
    }

    enum Defect: CaseIterable {
        case isShort, countsCalls, seesTheFirstBytesAlone, seesTheLengthAlone
    }

    @Test("A key with a defect fails at least one check", arguments: Defect.allCases)
    func defect(defect: Defect) async {
        let key = DefectiveKey(defect: defect)
        var broken: [RecordKeyConformance] = []
        for promise in RecordKeyConformance.allCases {
            do {
                try await promise.check { key }
            } catch {
                broken.append(promise)
            }
        }
        #expect(!broken.isEmpty)
    }

    private struct DefectiveKey: RecordKey {
        let defect: Defect
        private let base = MemoryRecordKey()
        private let callCount = Shared<UInt8>(0)

        init(defect: Defect) {
            self.defect = defect
        }

        func mac(over bytes: [UInt8]) async throws(StoreError) -> [UInt8] {
            switch defect {
            case .isShort: return try await base.mac(over: bytes).dropLast()
            case .countsCalls:
                let count = callCount.withLock { count in
                    count &+= 1
                    return count
                }
                return try await base.mac(over: bytes + [count])
            case .seesTheFirstBytesAlone: return try await base.mac(over: Array(bytes.prefix(64)))
            case .seesTheLengthAlone: return try await base.mac(over: Array(repeating: 0, count: bytes.count))
            }
        }
    }
}
