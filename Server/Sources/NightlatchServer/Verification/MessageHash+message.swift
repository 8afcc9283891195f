import Crypto
import Foundation

extension StoredHash where Subject == MessageSubject {
    /// The hash of a compact JWS as it came over the wire.
    init(of message: String) {
        self.init(SHA256.hash(data: Data(message.utf8)))
    }
}
