import Hummingbird
import NightlatchRelyingParty
import Synchronization

/// Limits how often the store is read for API tokens that nobody knows to be right.
///
/// Wrong tokens count against the limit of their address, as other requests without a right key do. Once an address has
/// used up that limit, its tokens are looked up only if they were right before at this process, or out of a second, small
/// limit. So a stranger behind the same address costs few reads, and does not keep a program with a right key out for
/// long: the small limit admits its first request, and later ones are known.
final class TokenLookups: Sendable {
    /// The number of tokens that are remembered. There are fewer active keys.
    private static let rememberedCount = 1024

    private let addressLimit: AddressLimit
    private let spare = TokenBuckets(RateLimit(count: 1, period: .seconds(1), burst: 5))
    /// The hashes of tokens that were right. A lookup follows all the same, so a revoked one is refused.
    private let right = Mutex<Set<APISecretHash>>([])

    init(_ addressLimit: AddressLimit) {
        self.addressLimit = addressLimit
    }

    /// Admits a lookup of `token`.
    ///
    /// - Throws: ``Refusal`` `rateLimited`.
    func begin(_ token: APIToken, _ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal) {
        guard let wait = addressLimit.waitWithoutCounting(for: request, context), !isRemembered(token) else { return }
        guard let customer = addressLimit.clientAddress.customer(of: request, context) else { return }
        if spare.take(for: customer) != nil { throw .rateLimited(retryAfter: wait) }
    }

    /// Notes that the store did not answer a lookup. It counts, unless the token was right before.
    func noteFailure(of token: APIToken, _ request: Request, _ context: RelyingPartyRequestContext) {
        if !isRemembered(token) { _ = addressLimit.wait(for: request, context) }
    }

    /// Notes the result of a lookup.
    func note(_ token: APIToken, isRight: Bool) {
        right.withLock { right in
            guard isRight else {
                right.remove(token.hash)
                return
            }
            // Refused keys leave the set, so it gets this long only if many keys were replaced without a last use.
            if right.count >= Self.rememberedCount { right = [] }
            right.insert(token.hash)
        }
    }

    private func isRemembered(_ token: APIToken) -> Bool { right.withLock { $0.contains(token.hash) } }
}
