import Crypto
import Foundation
import NightlatchWire

extension StoredHash where Subject == EnrolmentCodeSubject {
    /// The MAC under which the store looks up `code`.
    init(of code: EnrolmentCode, under masterKey: MasterKey) {
        self.init(
            HMAC<SHA256>.authenticationCode(
                for: Data(code.canonicalText.utf8), using: masterKey.key(for: .enrolmentCode)))
    }

    /// The MACs under which the store may have `code`, one for each key of `keyring`, first that of new codes.
    static func all(of code: EnrolmentCode, under keyring: MasterKeyring) -> [Self] {
        let sealing = keyring.sealing
        return [Self(of: code, under: sealing)]
            + keyring.keys.filter { $0.id != sealing.id }.map { Self(of: code, under: $0) }
    }
}
