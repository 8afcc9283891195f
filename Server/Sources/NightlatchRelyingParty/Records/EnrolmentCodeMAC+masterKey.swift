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
}
