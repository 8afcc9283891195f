import Crypto
import Foundation

/// RSASSA-PKCS1-v1_5 ([RFC 8017](https://www.rfc-editor.org/rfc/rfc8017#section-8.2.2)) in its simplest and slowest
/// form, so that it shares no code with the implementation that it checks.
struct RSAReference {
    /// Little-endian. Numbers have the length of the modulus plus one limb for carries.
    private let modulus: [UInt32]
    private let exponent: UInt32
    private let byteCount: Int

    /// Makes a reference for one public key.
    ///
    /// - Parameters:
    ///   - modulus: Most significant byte first, without leading zeros.
    ///   - exponent: In the same form, at most four bytes.
    init(modulus: [UInt8], exponent: [UInt8]) {
        byteCount = modulus.count
        self.exponent = exponent.reduce(0) { $0 << 8 | UInt32($1) }
        self.modulus = Self.limbs(modulus, count: modulus.count / 4 + 2)
    }

    /// Whether `signature` is the key's signature over `message`.
    ///
    /// - Parameters:
    ///   - signature: The signature; one of another length than the modulus is wrong.
    ///   - message: The signed message.
    ///   - algorithm: `RS256`, `RS384` or `RS512`.
    func isSignature(_ signature: [UInt8], of message: Data, by algorithm: String) -> Bool {
        guard signature.count == byteCount, let padded = padded(message, algorithm) else { return false }
        let base = Self.limbs(signature, count: modulus.count)
        guard isLess(base, modulus) else { return false }
        var power = Self.limbs([1], count: modulus.count)
        for bit in (0..<32).reversed() {
            power = product(power, power)
            if exponent >> bit & 1 == 1 { power = product(power, base) }
        }
        return power == Self.limbs(padded, count: modulus.count)
    }

    /// Returns 0x00 0x01 0xFF … 0x00, the digest's name in DER and the digest.
    private func padded(_ message: Data, _ algorithm: String) -> [UInt8]? {
        let (identifier, digest): (UInt8, [UInt8])
        switch algorithm {
        case "RS256": (identifier, digest) = (1, Array(SHA256.hash(data: message)))
        case "RS384": (identifier, digest) = (2, Array(SHA384.hash(data: message)))
        case "RS512": (identifier, digest) = (3, Array(SHA512.hash(data: message)))
        default: return nil
        }
        let size = UInt8(digest.count)
        let info: [UInt8] =
            [
                0x30, 17 + size, 0x30, 13, 0x06, 9, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, identifier, 0x05, 0,
                0x04, size,
            ]
            + digest
        guard byteCount >= info.count + 11 else { return nil }
        return [0, 1] + [UInt8](repeating: 0xFF, count: byteCount - info.count - 3) + [0] + info
    }

    /// Multiplies by doubling and adding, bit by bit.
    private func product(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var result = [UInt32](repeating: 0, count: modulus.count)
        for limb in right.reversed() {
            for bit in (0..<32).reversed() {
                result = sum(result, result)
                if limb >> bit & 1 == 1 { result = sum(result, left) }
            }
        }
        return result
    }

    /// Adds two numbers below the modulus.
    private func sum(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var result = left
        var carry: UInt64 = 0
        for index in result.indices {
            carry += UInt64(left[index]) + UInt64(right[index])
            result[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
        guard !isLess(result, modulus) else { return result }
        var borrow: Int64 = 0
        for index in result.indices {
            borrow += Int64(result[index]) - Int64(modulus[index])
            result[index] = UInt32(truncatingIfNeeded: borrow)
            borrow >>= 32
        }
        return result
    }

    private func isLess(_ left: [UInt32], _ right: [UInt32]) -> Bool {
        left.reversed().lexicographicallyPrecedes(right.reversed())
    }

    private static func limbs(_ bytes: [UInt8], count: Int) -> [UInt32] {
        var limbs = [UInt32](repeating: 0, count: count)
        for (index, byte) in bytes.reversed().enumerated() { limbs[index / 4] |= UInt32(byte) << (index % 4 * 8) }
        return limbs
    }
}
