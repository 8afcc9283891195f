import NightlatchPKCS11
import NightlatchProgram

extension CommandFailure {
    /// Explains why a token gave no master key.
    init(_ error: PKCS11Error, uri: String) {
        switch error {
        case .uri(let reason): self.init(.usage, "the URI \(uri) \(reason).")
        case .pinFile(let error):
            do throws(PKCS11Error) {
                self.init(error, path: try PKCS11URI(uri).pinFile)
            } catch {
                self.init(.defect, "the URI \(uri) was read before and cannot be read now.")
            }
        case .library(let reason):
            self.init(.usage, "the library that module-path names in \(uri) cannot be used: \(reason).")
        case .noToken:
            self.init(.unavailable, "no token matches \(uri). Connect the token, or correct the URI.")
        case .severalTokens:
            self.init(.usage, "several tokens match \(uri). Add the token’s serial to the URI.")
        case .pinWrong:
            self.init(
                .refused,
                "the token refused the PIN, and has counted this attempt. Correct the file that pin-source names in "
                    + "\(uri) before the next start: a token blocks its PIN after a few wrong ones.")
        case .lastAttempt:
            self.init(
                .refused,
                "the token permits only one more wrong PIN, so none was tried. Make sure that the file that pin-source "
                    + "names in \(uri) contains the right PIN, and log in once with the token’s own program.")
        case .pinBlocked:
            self.init(
                .refused, "the PIN of the token is blocked. The token’s security officer can set a new one (\(uri)).")
        case .noKey:
            self.init(
                .refused,
                "the token has no secret key that matches \(uri). Without the key with which the database’s keys were "
                    + "sealed, they are lost. Correct the URI, or make a key if the server is new.")
        case .severalKeys: self.init(.usage, "several keys match \(uri). Add the key’s id to the URI.")
        case .keyUnusable(let reason):
            self.init(
                .refused,
                "the key cannot compute HMAC-SHA256 (\(reason)): it must be a generic secret that may sign (\(uri)).")
        case .failed(let reason): self.init(.unavailable, "the token of \(uri) failed: \(reason). Try again.")
        }
    }
}
