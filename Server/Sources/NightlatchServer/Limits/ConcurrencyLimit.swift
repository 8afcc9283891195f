package import Hummingbird
package import NightlatchRelyingParty
import Synchronization

/// Refuses a request while too many others are in progress. Answering some requests is better than keeping all clients
/// waiting.
///
/// Refuses all requests while the store seals under a master key that this process does not know: it could open nothing
/// that other processes made, and would refuse good codes and challenges.
package final class ConcurrencyLimit: RouteStep {
    private let limit: Int
    private let keyring: MasterKeyring?
    private let count = Atomic(0)

    package init(_ limit: Int, keyring: MasterKeyring? = nil) {
        self.limit = limit
        self.keyring = keyring
    }

    package func enter(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal) {
        if keyring?.isReplaced ?? false { throw .store(RelyingPartyStoreError(.unavailable)) }
        let (_, underway) = count.add(1, ordering: .relaxed)
        guard underway <= limit else {
            count.subtract(1, ordering: .relaxed)
            throw .overloaded
        }
    }

    package func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {
        count.subtract(1, ordering: .relaxed)
    }
}
