import Nightlatch
import NightlatchTesting
import Testing

@Suite("Conformance suite of ledger keys")
struct LedgerKeyConformanceTests {
    @Test("The key in memory keeps every promise", arguments: LedgerKeyConformance.allCases)
    func memory(promise: LedgerKeyConformance) async throws {
        let key = MemoryLedgerKey()
        try await promise.check { key }
    }

    @Test("A key of its own for every owner breaks a promise")
    func manyKeys() async throws {
        await #expect(throws: ConformanceFailure.self) {
            try await LedgerKeyConformance.aSecondOwnerOfTheKeyMakesTheSameMAC.check { MemoryLedgerKey() }
        }
    }

    enum Defect: CaseIterable {
        case isShort, countsCalls, seesTheFirstBytesAlone, seesTheLengthAlone
    }

    @Test("A key with a defect breaks at least one promise", arguments: Defect.allCases)
    func defect(defect: Defect) async {
        let key = DefectiveKey(defect: defect)
        var broken: [LedgerKeyConformance] = []
        for promise in LedgerKeyConformance.allCases {
            do {
                try await promise.check { key }
            } catch {
                broken.append(promise)
            }
        }
        #expect(!broken.isEmpty)
    }

    private struct DefectiveKey: LedgerKey {
        let defect: Defect
        private let base = MemoryLedgerKey()
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
