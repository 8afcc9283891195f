import Crypto
import Foundation
import Synchronization

/// The visitors of the shop, by the secret in the cookie of their browser.
///
/// Keeps only the newest visitors, and only the hash of a secret.
final class ShopVisitors: Sendable {
    enum Visit: Sendable {
        /// The browser is at the relying party.
        case logsIn(DemoShop.Attempt)
        case isLoggedIn(VerifiedIDToken)
    }

    private static let limit = 16

    private let visits = Mutex<[(key: Data, visit: Visit)]>([])

    /// Keeps a visit.
    ///
    /// - Returns: The secret for the cookie.
    func keep(_ visit: Visit) -> PageSecret {
        let secret = PageSecret()
        visits.withLock { visits in
            visits.append((Self.key(secret.text), visit))
            if visits.count > Self.limit { visits.removeFirst() }
        }
        return secret
    }

    func visit(_ secret: String) -> Visit? {
        let key = Self.key(secret)
        return visits.withLock { visits in visits.first { $0.key == key }?.visit }
    }

    /// Returns a visit and forgets it. Of several calls one gets it.
    func take(_ secret: String) -> Visit? {
        let key = Self.key(secret)
        return visits.withLock { visits in
            visits.firstIndex { $0.key == key }.map { visits.remove(at: $0).visit }
        }
    }

    private static func key(_ secret: String) -> Data { Data(SHA256.hash(data: Data(secret.utf8))) }
}
