import Foundation

/// A secret to look for in memory, told in such a way that whoever looks for it does not hold it: every eight bytes of it, combined
/// with a mask.
package struct MaskedNeedle: Codable, Sendable {
    package let name: String
    /// Eight bytes in a row after the other, each as a number of the machine's byte order. In JSON they are base64: among so many decimal
    /// digits there are those of a PIN now and then.
    private let masked: Data

    /// - Parameter mask: The same for every needle of one search.
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

    /// For each eight bytes in a row the masked number.
    var windows: [UInt64] {
        unsafe masked.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 8).map {
                unsafe bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
            }
        }
    }
}

/// Bytes in two parts, neither of which says anything about them.
package struct SplitBytes: Codable, Sendable {
    let pad: Data
    let rest: Data

    package init(_ bytes: [UInt8]) {
        pad = Data(bytes.map { _ in .random(in: .min ... .max) })
        rest = Data(zip(bytes, pad).map { $0 ^ $1 })
    }
}
