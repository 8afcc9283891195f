package import Dispatch
import Foundation
package import NightlatchRelyingParty
import Synchronization

extension MasterKey {
    /// The text whose HMAC is the master key. A changed text would be another master key.
    private static let label = Array("nightlatch master key v1".utf8)

    /// The longest wait for a token.
    package static let tokenPatience = DispatchTimeInterval.seconds(60)

    /// Has a token compute the master key: HMAC-SHA256 of a fixed text under a secret key that never leaves the token.
    ///
    /// The token is needed only during this call, which waits for it.
    ///
    /// - Throws: ``PKCS11Error``. At most one PIN was tried. `failed` also if the token does not answer within
    ///   ``tokenPatience``: end the process then, since the token's library still runs.
    package static func computed(by uri: PKCS11URI) throws(PKCS11Error) -> MasterKey {
        try waiting(atMost: tokenPatience) { () throws(PKCS11Error) in
            let session = try PKCS11Session(PKCS11Module(path: uri.modulePath), uri: uri, pin: pin(in: uri.pinFile))
            let bytes = try session.authenticationCode(of: label, under: session.key(uri))
            guard let key = MasterKey(bytes: bytes) else { throw .keyUnusable("its result is no key") }
            return key
        }
    }

    /// Runs `work` on a thread of its own.
    ///
    /// - Throws: ``PKCS11Error`` `failed` if `work` takes longer than `limit`.
    package static func waiting(
        atMost limit: DispatchTimeInterval, for work: @escaping @Sendable () throws(PKCS11Error) -> MasterKey
    ) throws(PKCS11Error) -> MasterKey {
        let (outcome, end) = (Outcome(), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            let result: Result<MasterKey, PKCS11Error>
            do throws(PKCS11Error) {
                result = .success(try work())
            } catch {
                result = .failure(error)
            }
            outcome.result.withLock { $0 = result }
            end.signal()
        }
        guard end.wait(timeout: .now() + limit) == .success, let result = outcome.result.withLock({ $0 }) else {
            throw .failed("it does not answer")
        }
        return try result.get()
    }

    private final class Outcome: Sendable {
        let result = Mutex<Result<MasterKey, PKCS11Error>?>(nil)
    }

    private static func pin(in path: String) throws(PKCS11Error) -> [UInt8] {
        let text: String
        do {
            text = try SecretFile(path: path).read()
        } catch {
            throw .pinFile(error)
        }
        let pin = Array(text.trimmingCharacters(in: .newlines).utf8)
        guard !pin.isEmpty else { throw .pinMissing }
        return pin
    }
}
