import Hummingbird
import NightlatchWire

/// Refuses requests of an address that has sent too many.
struct AddressLimit: RouteStep {
    let clientAddress: ClientAddress
    let buckets: TokenBuckets?

    func enter(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal) {
        if let buckets, let customer = clientAddress.customer(of: request, context),
            let wait = buckets.take(for: customer)
        {
            throw .rateLimited(retryAfter: wait)
        }
    }
}
