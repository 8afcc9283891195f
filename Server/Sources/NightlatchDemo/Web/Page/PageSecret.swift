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

    /// Compares in a time that does not depend on how much of `other` matches.
    func isEqual(to other: some StringProtocol) -> Bool {
        SHA256.hash(data: Data(other.utf8)) == SHA256.hash(data: Data(text.utf8))
    }
}

/// A secret for one request. A user who finds it used knows that another program used it first.
final class PageTicket: Sendable {
    private let secret = PageSecret()
    private let isUsed = Mutex(false)

    var text: String { secret.text }

    /// Uses the ticket up if `other` matches. Returns whether it matched and was unused.
    func take(_ other: some StringProtocol) -> Bool {
        guard secret.isEqual(to: other) else { return false }
        return isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }
}
