package import Crypto
package import Foundation

extension SHA256 {
    /// As `hash(data:)`, without a look at what regions the data has: what is hashed here lies in one.
    package static func digest(of bytes: some ContiguousBytes) -> Digest {
        var hash = SHA256()
        unsafe bytes.withUnsafeBytes { bytes in unsafe hash.update(bufferPointer: bytes) }
        return hash.finalize()
    }
}

extension SHA256.Digest {
    /// All 32 at once, where a sequence would hand them over one by one.
    package var bytes: [UInt8] { unsafe withUnsafeBytes { bytes in unsafe [UInt8](bytes) } }
}
