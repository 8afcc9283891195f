import CPKCS11
package import NightlatchRelyingParty

/// The reason why a token gave no master key. Nothing was changed, except that the token counts wrong PINs.
package enum PKCS11Error: Error, Hashable, Sendable {
    /// The URI cannot be used. The text follows the words “The URI”. Do not print the URI: it may contain a PIN.
    case uri(String)
    /// The file with the PIN cannot be used.
    case pinFile(SecretFileError)
    /// The file with the PIN is empty.
    case pinMissing
    /// The library cannot be loaded, or other users can change it: correct `module-path` or the file.
    case library(String)
    /// No token matches the URI: connect it, or correct the URI.
    case noToken
    /// Several tokens match the URI: name the token's `serial`.
    case severalTokens
    /// The token did not accept the PIN, for this reason, and may have counted the attempt. Do not start again before
    /// the PIN is corrected.
    case pinRefused(String)
    /// One more wrong PIN would block the token, so none was tried: log in with another program first.
    case lastAttempt
    /// The token accepts no PIN any more, until its security officer sets a new one.
    case pinBlocked
    /// The token has no such key.
    case noKey
    /// Several keys match the URI: name the key's `id` too.
    case severalKeys
    /// Everyone who has the token can use the key, without a PIN: make a private key.
    case keyNotPrivate
    /// The key or the token cannot compute HMAC-SHA256.
    case keyUnusable(String)
    /// Another error of the token, which may be over at the next start.
    case failed(String)
}

extension PKCS11Error {
    /// The reason not to try a PIN at a token with these flags; nil if one may be tried.
    ///
    /// A service manager that restarts a server with a wrong PIN again and again would otherwise block the token.
    package init?(pinFlags flags: UInt) {
        if flags & CKF_USER_PIN_LOCKED != 0 {
            self = .pinBlocked
        } else if flags & CKF_USER_PIN_FINAL_TRY != 0 {
            self = .lastAttempt
        } else {
            return nil
        }
    }

    /// The error of a login with the result `result`; nil for none.
    ///
    /// Only a token that is gone is worth another start. A vendor's code may mean a wrong PIN.
    package init?(loginResult result: UInt) {
        switch result {
        case CKR_OK, CKR_USER_ALREADY_LOGGED_IN: return nil
        case CKR_PIN_LOCKED: self = .pinBlocked
        case CKR_DEVICE_ERROR, CKR_DEVICE_REMOVED, CKR_TOKEN_NOT_PRESENT, CKR_SESSION_HANDLE_INVALID:
            self = .failed(Self.text(of: "C_Login", result))
        default: self = .pinRefused(Self.text(of: "C_Login", result))
        }
    }

    /// The error of the beginning of a computation with the result `result`; nil for none.
    package init?(signingResult result: UInt) {
        switch result {
        case CKR_OK: return nil
        case CKR_KEY_TYPE_INCONSISTENT, CKR_KEY_FUNCTION_NOT_PERMITTED, CKR_KEY_SIZE_RANGE, CKR_MECHANISM_INVALID,
            CKR_MECHANISM_PARAM_INVALID:
            self = .keyUnusable(Self.text(of: "C_SignInit", result))
        default: self = .failed(Self.text(of: "C_SignInit", result))
        }
    }

    /// - Throws: ``PKCS11Error`` `failed`, if a function of the library did not succeed.
    static func check(_ result: CK_RV, _ function: String) throws(PKCS11Error) {
        guard result == CKR_OK else { throw .failed(text(of: function, result)) }
    }

    private static func text(of function: String, _ result: CK_RV) -> String {
        let text = unsafe p11_kit_strerror(result).map { unsafe String(cString: $0) } ?? "error \(result)"
        return "\(function): \(text)"
    }
}
