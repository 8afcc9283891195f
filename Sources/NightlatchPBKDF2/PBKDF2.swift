#if canImport(CommonCrypto)
import CommonCrypto
#else
import CryptoExtras
import Foundation
#endif

/// PBKDF2 with HMAC-SHA256 ([RFC 8018, section 5.2](https://www.rfc-editor.org/rfc/rfc8018#section-5.2)): CommonCrypto's on
/// Apple systems, swift-crypto's elsewhere.
public enum PBKDF2 {
    /// The system's function failed; nothing was derived.
    public struct Failure: Error, Hashable, Sendable {
        /// CommonCrypto's status, or -1 where there is none.
        public let status: Int32
    }
}

#if canImport(CommonCrypto)
extension PBKDF2 {
    /// Fills `output` with the key that `password` and `salt` give after `iterations` rounds.
    ///
    /// - Throws: ``Failure``; `output` is to be thrown away.
    public static func deriveKey(
        from password: UnsafeBufferPointer<UInt8>,
        salt: [UInt8],
        iterations: Int,
        into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        let status = unsafe password.withMemoryRebound(to: CChar.self) { password in
            unsafe CCKeyDerivationPBKDF(
                CCPBKDFAlgorithm(kCCPBKDF2), password.baseAddress, password.count, salt, salt.count,
                CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), UInt32(iterations),
                output.assumingMemoryBound(to: UInt8.self).baseAddress, output.count)
        }
        guard status == kCCSuccess else { throw Failure(status: status) }
    }
}
#else
extension PBKDF2 {
    /// Fills `output` with the key that `password` and `salt` give after `iterations` rounds.
    ///
    /// - Throws: ``Failure``; `output` is to be thrown away.
    public static func deriveKey(
        from password: UnsafeBufferPointer<UInt8>,
        salt: [UInt8],
        iterations: Int,
        into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        do {
            // The checked variant refuses fewer than 210,000 rounds; records with 100,000 must stay readable. The floor
            // is the caller's.
            let key = unsafe try KDF.Insecure.PBKDF2.deriveKey(
                from: password, salt: salt, using: .sha256, outputByteCount: output.count,
                unsafeUncheckedRounds: iterations)
            unsafe key.withUnsafeBytes { unsafe output.copyMemory(from: $0) }
        } catch {
            throw Failure(status: -1)
        }
    }
}
#endif
