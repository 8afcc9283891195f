import Crypto
import NightlatchTokenVerification

extension StoredHash where Subject == MessageSubject {
    /// The hash of a compact JWS as received.
    init(of message: String) {
        self.init(SHA256.digest(of: Array(message.utf8)).bytes)
    }
}
