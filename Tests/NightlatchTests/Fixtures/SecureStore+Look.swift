import Nightlatch
import Testing

extension SecureStore {
    /// The record as JSON.
    func json() async throws -> JSONTree {
        try JSONTree(try #require(try await read()))
    }

    /// The failures in a row that are written down.
    func failures() async throws -> Int {
        try #require(try await json()["ledger", "failures"]?.number)
    }

    /// Whether the record has a way in by PIN.
    func hasPinSlot() async throws -> Bool {
        try await json()["sealed", "slots", "pin"] != nil
    }
}
