public import Crypto
import Foundation
public import NightlatchWire
import Synchronization

/// Makes and verifies the nonces of DPoP proofs ([RFC 9449, section
/// 8](https://www.rfc-editor.org/rfc/rfc9449#section-8)).
///
/// A nonce consists of the second in which it was made and a MAC of that second. Nonces are therefore not stored, and
/// every process with the key accepts them. Without the key, an attacker cannot make nonces for a future time. The age
/// of a proof is the age of its nonce, whatever the device's clock reads.
public struct DPoPNonces: Sendable {
    /// The time for which a nonce is valid.
    public static let life: Duration = .seconds(120)

    private static let timeByteCount = 8
    /// The keys of which any may have made a nonce, and the index of the key that makes new ones.
    private let keys: [SymmetricKey]
    private let place: @Sendable () -> Int
    private let newest = Newest()

    private struct Made {
        let time: NumericDate
        let nonce: DPoPNonce
    }

    /// A cache of the newest nonce. All responses within a second contain the same nonce, and most proofs use the
    /// newest one.
    private final class Newest: Sendable {
        private let kept = Mutex<Made?>(nil)

        var made: Made? { kept.withLock(\.self) }

        func keep(_ new: Made) { kept.withLock { $0 = new } }
    }

    /// - Parameter key: 32 random bytes that all processes of one server share, and that have no other purpose.
    public init(key: SymmetricKey) {
        self.init(keys: [key]) { 0 }
    }

    /// Creates nonces for a server that is replacing its key.
    ///
    /// - Parameters:
    ///   - keys: The keys whose nonces are accepted.
    ///   - place: Returns the index of the key that makes new nonces. It may change at any time.
    package init(keys: [SymmetricKey], place: @escaping @Sendable () -> Int) {
        self.keys = keys
        self.place = place
    }

    /// Returns the nonce of the second `now`.
    public func nonce(at now: NumericDate) -> DPoPNonce {
        if let made = newest.made, made.time == now { return made.nonce }
        let time = Self.bytes(of: now)
        let code = HMAC<SHA256>.authenticationCode(for: time, using: keys[place()])
        guard let nonce = DPoPNonce(rawValue: Base64URL.encode(time + code)) else {
            preconditionFailure("base64url is a valid nonce")
        }
        newest.keep(Made(time: now, nonce: nonce))
        return nonce
    }

    /// Returns whether `nonce` was made with a key of this server, at most ``life`` before `now`.
    ///
    /// The clocks of two processes may differ by `MessageLife.clockTolerance`.
    public func isGood(_ nonce: DPoPNonce, at now: NumericDate) -> Bool {
        // Every client receives this nonce, so the duration of this comparison reveals nothing.
        if let made = newest.made, made.nonce == nonce { return Self.isAlive(madeAt: made.time, at: now) }
        guard let bytes = Base64URL.decode(nonce.rawValue), bytes.count == Self.timeByteCount + SHA256.byteCount else {
            return false
        }
        let time = Data(bytes.prefix(Self.timeByteCount))
        let madeAt = NumericDate(secondsSince1970: time.reduce(0) { $0 << 8 | Int($1) })
        // swift-crypto compares authentication codes in constant time.
        let isMadeHere = keys.contains { key in
            HMAC<SHA256>.authenticationCode(for: time, using: key) == bytes.dropFirst(Self.timeByteCount)
        }
        return isMadeHere && Self.isAlive(madeAt: madeAt, at: now)
    }

    private static func isAlive(madeAt: NumericDate, at now: NumericDate) -> Bool {
        madeAt <= now + MessageLife.clockTolerance && now <= madeAt + life
    }

    private static func bytes(of time: NumericDate) -> Data {
        Data(
            (0..<timeByteCount).map {
                UInt8(truncatingIfNeeded: time.secondsSince1970 >> (8 * (timeByteCount - 1 - $0)))
            })
    }
}
