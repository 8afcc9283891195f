/// A secret to look for in memory, told in such a way that whoever looks for it does not hold it: every eight bytes of it, combined
/// with a mask.
package struct MaskedNeedle: Codable, Sendable {
    package let name: String
    /// For each eight bytes in a row, as a number of the machine's byte order.
    let windows: [UInt64]

    /// - Parameter mask: The same for every needle of one search.
    package init(_ name: String, _ secret: [UInt8], mask: UInt32) {
        self.name = name
        let wide = UInt64(mask) << 32 | UInt64(mask)
        windows = secret.indices.dropLast(7).map { start in
            unsafe secret.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: start, as: UInt64.self) } ^ wide
        }
    }
}

/// Bytes in two parts, neither of which says anything about them.
package struct SplitBytes: Codable, Sendable {
    let pad: [UInt8]
    let rest: [UInt8]

    package init(_ bytes: [UInt8]) {
        pad = bytes.map { _ in .random(in: .min ... .max) }
        rest = zip(bytes, pad).map { $0 ^ $1 }
    }
}
