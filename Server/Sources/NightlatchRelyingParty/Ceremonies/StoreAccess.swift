/// Calls a verb of a store, and turns its error into a refusal of the request.
package func answer<Value>(_ verb: () async throws(RelyingPartyStoreError) -> Value) async throws(Refusal) -> Value {
    do {
        return try await verb()
    } catch {
        throw .store(error)
    }
}
