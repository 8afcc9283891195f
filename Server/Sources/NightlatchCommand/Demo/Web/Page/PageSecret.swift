import Crypto
import Foundation
import Synchronization

/// A part of an address that nobody guesses.
struct PageSecret: Sendable {
    let text: String

    init() {
        // 128 bits of the system's generator.
        text = unsafe SymmetricKey(size: .bits128).withUnsafeBytes { bytes in
            unsafe bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// Takes as long whatever `other` is.
    func isEqual(to other: some StringProtocol) -> Bool {
        SHA256.hash(data: Data(other.utf8)) == SHA256.hash(data: Data(text.utf8))
    }
}

/// A secret that is good for one request. Who finds it used knows that somebody else was there first.
final class PageTicket: Sendable {
    private let secret = PageSecret()
    private let isUsed = Mutex(false)

    var text: String { secret.text }

    /// Whether `other` is it, and is used with this.
    func take(_ other: some StringProtocol) -> Bool {
        guard secret.isEqual(to: other) else { return false }
        return isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }
}
