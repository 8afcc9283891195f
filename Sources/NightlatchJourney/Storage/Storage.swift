/// A place for one value: tokens, or a session.
///
/// The module never treats an error as an empty storage. An app may have its own type; ``SecureStorage`` stores a value
/// in any `SecureStore`.
public protocol Storage<Value>: Sendable {
    associatedtype Value: Codable & Sendable

    /// Replaces the value.
    func save(item: Value) async throws
    /// Returns the value, or nil if there is none. Throws if it is not known whether there is one.
    func get() async throws -> Value?
    /// Removes the value. Succeeds if there is none.
    func delete() async throws
}
