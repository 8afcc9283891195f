import Nightlatch
import Testing

extension SecureStore {
    /// The record as JSON.
    func json() async throws -> JSONTree {
        try JSONTree(try #require(try await read()))
    }

    /// The recorded number of failures in a row.
    func failures() async throws -> Int {
        try #require(try await json()["ledger", "failures"]?.number)
    }

    /// Whether the record has a PIN slot.
    func hasPinSlot() async throws -> Bool {
        try await json()["sealed", "slots", "pin"] != nil
    }
}
