package import Crypto
import Foundation
import NightlatchWire

/// The secrets that a rotation of the master key must not change, because others hold what belongs to them: devices the
/// public key of signed answers, operators the public key of exported audit heads, and apps their refresh tokens.
///
/// They are derived from the first master key of a store, as in releases without rotation, and then stay the same. The
/// store keeps them in one sealed box.
package struct KeptSecrets: Sendable {
    package let appRefreshToken: SymmetricKey
    package let auditHead: SymmetricKey
    package let pinAnswer: SymmetricKey
    /// Secrets of a later release, which are sealed again with the others.
    private let later: Data

    private static let byteCount = 32

    /// The secrets of a store whose first master key is `masterKey`.
    package init(derivedFrom masterKey: MasterKey) {
        appRefreshToken = masterKey.key(for: .appRefreshToken)
        auditHead = masterKey.key(for: .auditHead)
        pinAnswer = masterKey.key(for: .pinAnswer)
        later = Data()
    }

    /// Opens a box of ``sealed(under:)``.
    ///
    /// Returns nil if it was sealed under another master key, or was changed.
    package init?(box: [UInt8], under masterKey: MasterKey) {
        do {
            let plaintext = try AES.GCM.open(
                AES.GCM.SealedBox(combined: box), using: masterKey.key(for: .keptSecrets),
                authenticating: Data(masterKey.id.bytes))
            guard plaintext.count >= 3 * Self.byteCount else { return nil }
            let parts = stride(from: 0, to: 3 * Self.byteCount, by: Self.byteCount).map {
                SymmetricKey(data: plaintext.dropFirst($0).prefix(Self.byteCount))
            }
            (appRefreshToken, auditHead, pinAnswer) = (parts[0], parts[1], parts[2])
            later = Data(plaintext.dropFirst(3 * Self.byteCount))
        } catch {
            return nil
        }
    }

    /// Seals the secrets with AES-256-GCM: the three keys in the order of their names, and those of later releases.
    ///
    /// - Returns: Nil only if the cryptographic library fails.
    package func sealed(under masterKey: MasterKey) -> [UInt8]? {
        var plaintext = Data()
        for key in [appRefreshToken, auditHead, pinAnswer] {
            unsafe key.withUnsafeBytes { unsafe plaintext.append(contentsOf: $0) }
        }
        plaintext.append(later)
        do {
            return try AES.GCM.seal(
                plaintext, using: masterKey.key(for: .keptSecrets), authenticating: Data(masterKey.id.bytes)
            ).combined.map { Array($0) }
        } catch {
            return nil
        }
    }
}
