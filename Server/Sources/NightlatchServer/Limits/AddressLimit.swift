import Hummingbird
import NightlatchWire

/// Refuses requests of an address that has sent too many.
struct AddressLimit: RouteStep {
    let clientAddress: ClientAddress
    let buckets: TokenBuckets?

    func enter(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal) {
        if let buckets, let address = clientAddress.address(of: request, from: context.remoteAddress),
            let wait = buckets.take(for: address.customer)
        {
            throw .rateLimited(retryAfter: wait)
        }
    }
}
