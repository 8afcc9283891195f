import Foundation
package import NightlatchRelyingParty

extension MasterKey {
    /// The text whose HMAC is the master key. A changed text would be another master key.
    private static let label = Array("nightlatch master key v1".utf8)

    /// Has a token compute the master key: HMAC-SHA256 of a fixed text under a secret key that never leaves the token.
    ///
    /// The token is needed only during this call. Someone who copies the server's files and database, but has neither
    /// the token nor a copy of the process's memory, has no master key. The call waits for the token.
    ///
    /// - Throws: ``PKCS11Error``. At most one PIN was tried.
    package static func computed(by uri: PKCS11URI) throws(PKCS11Error) -> MasterKey {
        let pin: String
        do {
            pin = try SecretFile(path: uri.pinFile).read()
        } catch {
            throw .pinFile(error)
        }
        let digits = Array(pin.trimmingCharacters(in: .newlines).utf8)
        guard !digits.isEmpty else { throw .pinFile(.malformed) }
        let session = try PKCS11Session(PKCS11Module(path: uri.modulePath), uri: uri, pin: digits)
        let bytes = try session.authenticationCode(of: label, under: session.key(uri))
        guard let key = MasterKey(bytes: bytes) else { throw .keyUnusable("its result is no key") }
        return key
    }
}
