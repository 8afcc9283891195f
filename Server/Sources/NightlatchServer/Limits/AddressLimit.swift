import Hummingbird
import NightlatchWire

/// Refuses requests of an address that has sent too many.
struct AddressLimit<Context: RemoteAddressRequestContext>: RouterMiddleware {
    let clientAddress: ClientAddress
    let buckets: TokenBuckets?

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let buckets, let address = clientAddress.address(of: request, from: context.remoteAddress),
            let wait = buckets.take(for: address.customer)
        {
            throw Refusal.rateLimited(retryAfter: wait)
        }
        return try await next(request, context)
    }
}
