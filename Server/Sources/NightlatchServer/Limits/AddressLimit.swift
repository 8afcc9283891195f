package import Hummingbird
package import NightlatchRelyingParty
import NightlatchWire

/// Refuses requests of an address that has sent too many.
package struct AddressLimit: RouteStep {
    let clientAddress: ClientAddress
    let buckets: TokenBuckets?

    package init(clientAddress: ClientAddress, buckets: TokenBuckets?) {
        self.clientAddress = clientAddress
        self.buckets = buckets
    }

    package func enter(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal) {
        if let wait = wait(for: request, context) { throw .rateLimited(retryAfter: wait) }
    }

    /// Counts a request.
    ///
    /// - Returns: For how long the address should wait, if it has sent too many.
    func wait(for request: Request, _ context: RelyingPartyRequestContext) -> Duration? {
        guard let buckets, let customer = clientAddress.customer(of: request, context) else { return nil }
        return buckets.take(for: customer)
    }
}
