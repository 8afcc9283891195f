package import Hummingbird
package import NightlatchRelyingParty
import NightlatchWire

/// Refuses requests from an address that has sent too many requests.
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
    /// - Returns: How long the client must wait if its address has sent too many requests; otherwise nil.
    func wait(for request: Request, _ context: RelyingPartyRequestContext) -> Duration? {
        guard let buckets, let customer = clientAddress.customer(of: request, context) else { return nil }
        return buckets.take(for: customer)
    }

    /// Same as ``wait(for:_:)``, but does not count the request.
    func waitWithoutCounting(for request: Request, _ context: RelyingPartyRequestContext) -> Duration? {
        guard let buckets, let customer = clientAddress.customer(of: request, context) else { return nil }
        return buckets.wait(for: customer)
    }
}
