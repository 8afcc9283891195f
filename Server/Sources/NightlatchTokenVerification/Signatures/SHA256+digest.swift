package import Crypto
package import Foundation

extension SHA256 {
    /// Returns the digest of contiguous bytes. Faster than `hash(data:)`, which enumerates the regions of the data.
    package static func digest(of bytes: some ContiguousBytes) -> Digest {
        var hash = SHA256()
        unsafe bytes.withUnsafeBytes { bytes in unsafe hash.update(bufferPointer: bytes) }
        return hash.finalize()
    }
}

extension SHA256.Digest {
    /// All 32 bytes, copied at once. Reading the digest as a sequence would copy them one by one.
    package var bytes: [UInt8] { unsafe withUnsafeBytes { bytes in unsafe [UInt8](bytes) } }
}
