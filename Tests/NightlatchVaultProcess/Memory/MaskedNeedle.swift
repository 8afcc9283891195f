import Foundation

/// A secret to search for in memory. Its encoding does not contain the secret: every eight bytes of it are combined
/// with a mask.
package struct MaskedNeedle: Codable, Sendable {
    package let name: String
    /// Each sequence of eight bytes, as a number in the machine's byte order. In JSON they are base64: a list of
    /// decimal numbers would sometimes contain the digits of a PIN.
    private let masked: Data

    /// - Parameter mask: The same mask for every needle of a search.
    package init(_ name: String, _ secret: [UInt8], mask: UInt32) {
        self.name = name
        let wide = UInt64(mask) << 32 | UInt64(mask)
        var masked = Data()
        for start in secret.indices.dropLast(7) {
            let window = unsafe secret.withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: start, as: UInt64.self)
            }
            unsafe withUnsafeBytes(of: window ^ wide) { unsafe masked.append(contentsOf: $0) }
        }
        self.masked = masked
    }

    /// The masked number for each sequence of eight bytes.
    var windows: [UInt64] {
        unsafe masked.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 8).map {
                unsafe bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
            }
        }
    }
}

/// Bytes in two parts. Neither part alone reveals anything about them.
package struct SplitBytes: Codable, Sendable {
    let pad: Data
    let rest: Data

    package init(_ bytes: [UInt8]) {
        pad = Data(bytes.map { _ in .random(in: .min ... .max) })
        rest = Data(zip(bytes, pad).map { $0 ^ $1 })
    }
}
