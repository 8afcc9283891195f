import Crypto
import NightlatchTokenVerification

/// Comparing secrets without telling by the time it takes how much of a guess was right.
package enum ConstantTime {
    package static func isEqual(_ left: String, _ right: String) -> Bool {
        // Digests compare in constant time, and hashing hides at which byte the texts differ.
        SHA256.digest(of: Array(left.utf8)) == SHA256.digest(of: Array(right.utf8))
    }
}
