import Foundation
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting

/// Every adapter of the store port.
enum StoreKind: String, CaseIterable, Sendable {
    case memory
    case sqlite
    case postgres

    func with(_ body: (any RelyingPartyStore) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(MemoryRelyingPartyStore(clock: TestTime.clock))
        case .sqlite:
            try await TemporaryFolder.with { folder in
                let store = try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
                try await body(store)
                try store.close()
            }
        case .postgres: try await TestPostgres.withStore(body)
        }
    }
}
