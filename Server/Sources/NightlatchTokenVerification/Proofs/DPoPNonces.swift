public import Crypto
import Foundation
public import NightlatchWire

/// Makes the nonces that DPoP proofs must carry, and knows them again
/// ([RFC 9449, section 8](https://www.rfc-editor.org/rfc/rfc9449#section-8)).
///
/// A nonce is the second it was made in and a MAC of that second. So it is written down nowhere, every process that has the key
/// knows it, nobody else can make one for a time to come, and a proof is as old as its nonce, whatever the device's clock says.
public struct DPoPNonces: Sendable {
    /// How long a nonce is good.
    public static let life: Duration = .seconds(120)

    private static let timeByteCount = 8
    private let key: SymmetricKey

    /// - Parameter key: 32 random bytes that all processes of one server share, and that serve nothing else.
    public init(key: SymmetricKey) {
        self.key = key
    }

    /// The nonce of the second `now`.
    public func nonce(at now: NumericDate) -> DPoPNonce {
        let time = Self.bytes(of: now)
        guard
            let nonce = DPoPNonce(
                rawValue: Base64URL.encode(time + HMAC<SHA256>.authenticationCode(for: time, using: key)))
        else { preconditionFailure("base64url is of the form of nonces") }
        return nonce
    }

    /// Whether `nonce` was made with the same key, and is of no other time than its life before `now`. Clocks of two processes may
    /// differ by `MessageLife.clockTolerance`.
    public func isGood(_ nonce: DPoPNonce, at now: NumericDate) -> Bool {
        guard let bytes = Base64URL.decode(nonce.rawValue), bytes.count == Self.timeByteCount + SHA256.byteCount else {
            return false
        }
        let time = Data(bytes.prefix(Self.timeByteCount))
        guard
            HMAC<SHA256>.isValidAuthenticationCode(
                bytes.dropFirst(Self.timeByteCount), authenticating: time, using: key)
        else { return false }
        let madeAt = NumericDate(secondsSince1970: time.reduce(0) { $0 << 8 | Int($1) })
        return madeAt <= now + MessageLife.clockTolerance && now <= madeAt + Self.life
    }

    private static func bytes(of time: NumericDate) -> Data {
        Data(
            (0..<timeByteCount).map {
                UInt8(truncatingIfNeeded: time.secondsSince1970 >> (8 * (timeByteCount - 1 - $0)))
            })
    }
}
