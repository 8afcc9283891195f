/// Calls a verb of a store, and converts its error to a refusal of the request.
package func answer<Value>(_ verb: () async throws(StoreError) -> Value) async throws(Refusal) -> Value {
    do {
        return try await verb()
    } catch {
        throw .store(error)
    }
}
