internal import Nightlatch

/// A place for one value: tokens, or a session.
///
/// The module never treats an error as an empty storage, except for a damaged value; see ``get()``. An app may have its
/// own type; ``SecureStorage`` stores a value in any `SecureStore`.
public protocol Storage<Value>: Sendable {
    associatedtype Value: Codable & Sendable

    /// Replaces the value.
    func save(item: Value) async throws
    /// Returns the value, or nil if there is none.
    ///
    /// - Throws: `StoreError` with the code `corrupt`, or a `DecodingError`, if the value is damaged: the module then
    ///   does without it, and replaces it by the next one. Any other error means that it is not known whether there is
    ///   a value: the module then changes nothing, and reads again later.
    func get() async throws -> Value?
    /// Removes the value, also a damaged one. Succeeds if there is none.
    func delete() async throws
}

extension Storage {
    /// Returns the value; nil if there is none, or if it is damaged. A damaged value stays until it is replaced or
    /// deleted.
    func undamaged(_ report: (any Error) -> Void) async throws -> Value? {
        do {
            return try await get()
        } catch let error as StoreError where error.code == .corrupt {
            report(error)
        } catch is DecodingError {
            // The decoder's own error may quote the value.
            report(StoreError(.corrupt))
        }
        return nil
    }
}
