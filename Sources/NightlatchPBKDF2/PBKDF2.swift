#if canImport(CommonCrypto)
import CommonCrypto
#else
import CryptoExtras
import Foundation
#endif

/// PBKDF2 with HMAC ([RFC 8018, section 5.2](https://www.rfc-editor.org/rfc/rfc8018#section-5.2)), by CommonCrypto on
/// Apple systems and by swift-crypto elsewhere.
public enum PBKDF2 {
    /// The hash function of the HMAC.
    public enum Hash: Hashable, Sendable {
        case sha256, sha512
    }

    /// The system's function failed, and no key was derived.
    public struct Failure: Error, Hashable, Sendable {
        /// CommonCrypto's status, or -1 if there is none.
        public let status: Int32
    }

    /// Fills `output` with the key from `password` and `salt`, after `iterations` rounds of HMAC-SHA256.
    ///
    /// - Throws: ``Failure``; discard `output` then.
    public static func deriveKey(
        from password: UnsafeBufferPointer<UInt8>,
        salt: [UInt8],
        iterations: Int,
        into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        unsafe try salt.withUnsafeBufferPointer { salt throws(Failure) in
            unsafe try deriveKey(from: password, salt: salt, hash: .sha256, iterations: iterations, into: output)
        }
    }
}

#if canImport(CommonCrypto)
extension PBKDF2 {
    /// Fills `output` with the key from `password` and `salt`, after `iterations` rounds of HMAC with `hash`. The
    /// addresses of `password` and `salt` must not be nil.
    ///
    /// - Throws: ``Failure``; discard `output` then.
    public static func deriveKey(
        from password: UnsafeBufferPointer<UInt8>,
        salt: UnsafeBufferPointer<UInt8>,
        hash: Hash,
        iterations: Int,
        into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        let function =
            switch hash {
            case .sha256: kCCPRFHmacAlgSHA256
            case .sha512: kCCPRFHmacAlgSHA512
            }
        let status = unsafe password.withMemoryRebound(to: CChar.self) { password in
            unsafe CCKeyDerivationPBKDF(
                CCPBKDFAlgorithm(kCCPBKDF2), password.baseAddress, password.count, salt.baseAddress, salt.count,
                CCPseudoRandomAlgorithm(function), UInt32(iterations),
                output.assumingMemoryBound(to: UInt8.self).baseAddress, output.count)
        }
        guard status == kCCSuccess else { throw Failure(status: status) }
    }
}
#else
extension PBKDF2 {
    /// Fills `output` with the key from `password` and `salt`, after `iterations` rounds of HMAC with `hash`. The
    /// addresses of `password` and `salt` must not be nil.
    ///
    /// - Throws: ``Failure``; discard `output` then.
    public static func deriveKey(
        from password: UnsafeBufferPointer<UInt8>,
        salt: UnsafeBufferPointer<UInt8>,
        hash: Hash,
        iterations: Int,
        into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        let function: KDF.Insecure.PBKDF2.HashFunction =
            switch hash {
            case .sha256: .sha256
            case .sha512: .sha512
            }
        do {
            // The checked variant refuses fewer than 210,000 rounds. Records with 100,000 must stay readable, and
            // BIP-39 has 2,048. The caller enforces the minimum.
            let key = unsafe try KDF.Insecure.PBKDF2.deriveKey(
                from: password, salt: salt, using: function, outputByteCount: output.count,
                unsafeUncheckedRounds: iterations)
            unsafe key.withUnsafeBytes { unsafe output.copyMemory(from: $0) }
        } catch {
            throw Failure(status: -1)
        }
    }
}
#endif
