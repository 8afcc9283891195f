import Crypto
import NightlatchTokenVerification

/// Compares secrets in a time that does not reveal how much of an attempt was right.
package enum ConstantTime {
    package static func isEqual(_ left: String, _ right: String) -> Bool {
        // Digests compare in constant time, and hashing hides at which byte the texts differ.
        SHA256.digest(of: Array(left.utf8)) == SHA256.digest(of: Array(right.utf8))
    }
}
