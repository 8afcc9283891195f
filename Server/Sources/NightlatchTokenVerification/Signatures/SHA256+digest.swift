package import Crypto
package import Foundation

extension SHA256 {
    /// As `hash(data:)`, but without enumerating the regions of the data: the bytes are contiguous.
    package static func digest(of bytes: some ContiguousBytes) -> Digest {
        var hash = SHA256()
        unsafe bytes.withUnsafeBytes { bytes in unsafe hash.update(bufferPointer: bytes) }
        return hash.finalize()
    }
}

extension SHA256.Digest {
    /// All 32 bytes, copied at once. A sequence would return them one by one.
    package var bytes: [UInt8] { unsafe withUnsafeBytes { bytes in unsafe [UInt8](bytes) } }
}
