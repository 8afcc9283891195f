package import Hummingbird
package import NightlatchRelyingParty
import Synchronization

/// Refuses a request while too many others are in progress. Answering some requests is better than keeping all clients
/// waiting.
package final class ConcurrencyLimit: RouteStep {
    private let limit: Int
    private let count = Atomic(0)

    package init(_ limit: Int) {
        self.limit = limit
    }

    package func enter(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal) {
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
