import Crypto
import Foundation
import Synchronization

/// A path component that cannot be guessed.
struct PageSecret: Sendable {
    let text: String

    init() {
        // 128 bits from the system's generator.
        text = unsafe SymmetricKey(size: .bits128).withUnsafeBytes { bytes in
            unsafe bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// Returns whether the secret equals `other`, in a time that does not depend on how much of `other` matches.
    func isEqual(to other: some StringProtocol) -> Bool {
        SHA256.hash(data: Data(other.utf8)) == SHA256.hash(data: Data(text.utf8))
    }
}

/// A secret for one request. If the user's own request finds it used, another program has used it first.
final class PageTicket: Sendable {
    private let secret = PageSecret()
    private let isUsed = Mutex(false)

    var text: String { secret.text }

    /// Uses up the ticket if `other` matches it.
    ///
    /// - Returns: Whether `other` matched and the ticket was unused.
    func take(_ other: some StringProtocol) -> Bool {
        guard secret.isEqual(to: other) else { return false }
        return isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }
}
