import ArgumentParser
import Foundation
import NightlatchRelyingParty

/// What commands take that work on the store itself.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: """
            The store, as sqlite:PATH or postgres://USER@HOST/NAME. (default: NIGHTLATCH_DATABASE, else \
            sqlite:nightlatch-data/nightlatch.sqlite)
            """)
    var database: String?

    /// Calls `body` with the store, which must be there already, and closes it.
    func withStore<Value>(_ body: (OpenDatabase) async throws -> Value) async throws -> Value {
        let address = try DatabaseAddress(
            ToldSettings.value(.database, flag: database, default: DatabaseAddress.standard))
        // Opening it would make it.
        if case .sqlite(let path) = address, !FileManager.default.fileExists(atPath: path) {
            throw CommandFailure(.usage, "there is no database \(path).")
        }
        let opened = try await address.open(connectionCount: 1)
        do {
            let value = try await body(opened)
            try opened.close()
            return value
        } catch let error as StoreError {
            throw CommandFailure(error, database: address)
        }
    }
}
