/// A public RSA key ([RFC 7518, section 6.3](https://www.rfc-editor.org/rfc/rfc7518#section-6.3)): 2048 to 4096 bits,
/// with an odd public exponent of at least 65537.
public struct RSAPublicJWK: Hashable, Sendable {
    /// The modulus, most significant byte first, without leading zeros.
    public let modulus: [UInt8]
    /// The public exponent, most significant byte first, without leading zeros.
    public let exponent: [UInt8]

    /// Creates a key. Returns nil for a key that is too short, too long or not in the canonical form.
    public init?(modulus: [UInt8], exponent: [UInt8]) {
        guard let first = modulus.first, first != 0, let last = modulus.last, last & 1 == 1,
            (2048...4096).contains(modulus.count * 8 - first.leadingZeroBitCount),
            let exponentFirst = exponent.first, exponentFirst != 0, (3...4).contains(exponent.count),
            exponent.reduce(0, { $0 << 8 | UInt32($1) }) >= 65537, exponent.reduce(0, { _, byte in byte & 1 }) == 1
        else { return nil }
        self.modulus = modulus
        self.exponent = exponent
    }
}
