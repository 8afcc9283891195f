/// Asks a store, and refuses the request if it does not answer.
package func answer<Value>(_ verb: () async throws(StoreError) -> Value) async throws(Refusal) -> Value {
    do {
        return try await verb()
    } catch {
        throw .store(error)
    }
}
