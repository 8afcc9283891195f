import NightlatchPKCS11
import NightlatchProgram

extension CommandFailure {
    /// Explains why a token gave no master key.
    init(_ error: PKCS11Error, uri: String) {
        switch error {
        // The URI is not printed: it may contain a PIN.
        case .uri(let reason): self.init(.usage, "the pkcs11: URI of the master key \(reason).")
        case .pinFile(let error): self.init(error, path: Self.pinFile(of: uri))
        case .pinMissing: self.init(.usage, "\(Self.pinFile(of: uri)) is empty. Write the token’s PIN into it.")
        case .library(let reason):
            self.init(.usage, "the library that module-path names in \(uri) cannot be used: \(reason).")
        case .noToken:
            self.init(.unavailable, "no token matches \(uri). Connect the token, or correct the URI.")
        case .severalTokens:
            self.init(.usage, "several tokens match \(uri). Add the token’s serial to the URI.")
        case .pinRefused(let reason):
            self.init(
                .refused,
                "the token refused the PIN (\(reason)), and may have counted this attempt. Correct \(Self.pinFile(of: uri)) "
                    + "before the next start: a token blocks its PIN after a few wrong ones.")
        case .lastAttempt:
            self.init(
                .refused,
                "the token permits only one more wrong PIN, so none was tried. Make sure that \(Self.pinFile(of: uri)) "
                    + "contains the right PIN, and log in once with the token’s own program.")
        case .pinBlocked:
            self.init(
                .refused, "the PIN of the token is blocked. The token’s security officer can set a new one (\(uri)).")
        case .noKey:
            self.init(
                .refused,
                "the token has no secret key that matches \(uri). Without the key with which the database’s keys were "
                    + "sealed, they are lost. Correct the URI, or make a key if the server is new.")
        case .severalKeys: self.init(.usage, "several keys match \(uri). Add the key’s id to the URI.")
        case .keyNotPrivate:
            self.init(
                .refused,
                "the key of \(uri) is not private: the token gives it to everyone without a PIN. Make a private key.")
        case .keyUnusable(let reason):
            self.init(
                .refused,
                "the key cannot compute HMAC-SHA256 (\(reason)): it must be a generic secret that may sign (\(uri)).")
        case .failed(let reason): self.init(.unavailable, "the token of \(uri) failed: \(reason). Try again.")
        }
    }

    /// The file with the PIN, for a message. The URI was read before.
    private static func pinFile(of uri: String) -> String {
        do throws(PKCS11Error) {
            return try PKCS11URI(uri).pinFile
        } catch {
            return "the file of pin-source"
        }
    }
}
