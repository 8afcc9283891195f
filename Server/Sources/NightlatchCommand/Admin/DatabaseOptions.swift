import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty

/// The options of commands that use the store directly.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: """
            The store, as sqlite:PATH or postgres://USER@HOST/NAME. (default: NIGHTLATCH_DATABASE, else \
            sqlite:nightlatch-data/nightlatch.sqlite)
            """)
    var database: String?

    /// Opens the store, calls `body` with it, and closes it. The store must exist.
    func withStore<Value>(_ body: (OpenDatabase) async throws -> Value) async throws -> Value {
        let address = try address()
        // Opening a missing file would create it.
        if case .sqlite(let path) = address, !FileManager.default.fileExists(atPath: path) {
            throw CommandFailure(.usage, "there is no database \(path).")
        }
        let opened = try await address.open(connectionCount: 1)
        do {
            let value = try await body(opened)
            try opened.close()
            return value
        } catch let error as RelyingPartyStoreError {
            throw CommandFailure(error, database: address)
        }
    }
    /// The address of the store: the flag, else the environment, else the file in the data folder.
    func address() throws(CommandFailure) -> DatabaseAddress {
        try DatabaseAddress(ToldSettings.value(.database, flag: database, default: DatabaseAddress.standard))
    }
}
