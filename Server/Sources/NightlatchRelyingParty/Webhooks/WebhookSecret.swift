import Crypto
import Foundation
public import NightlatchWire

/// How a webhook's events are signed.
public enum WebhookSignature: String, Codable, Hashable, Sendable, CaseIterable {
    /// HMAC-SHA256 with a secret that the receiver knows too: `v1`.
    case hmac = "hmac-sha256"
    /// Ed25519: the receiver has only the public key. `v1a`.
    case ed25519
}

/// A secret of a webhook, as stored: sealed under the master key.
public struct SealedWebhookSecret: Codable, Hashable, Sendable {
    /// The secret in an AES-256-GCM sealed box, in base64url.
    public let box: String
    /// The public key in the form `whpk_…`; nil for HMAC.
    public let publicKey: String?
    /// The time until which the secret signs; nil without an end.
    public var until: NumericDate?

    public init(box: String, publicKey: String?, until: NumericDate? = nil) {
        self.box = box
        self.publicKey = publicKey
        self.until = until
    }

    private enum CodingKeys: String, CodingKey {
        case box, until
        case publicKey = "public_key"
    }

    /// Whether the secret still signs at `time`.
    package func signs(at time: NumericDate) -> Bool { until.map { time < $0 } ?? true }
}

/// A secret of a webhook, opened. It has 32 random bytes.
package struct WebhookSecret: Sendable {
    private enum Key: Sendable {
        case hmac(SymmetricKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    private let key: Key

    private init(_ key: Key) { self.key = key }

    /// Makes a new secret.
    package static func random(_ signature: WebhookSignature) -> Self {
        switch signature {
        case .hmac: Self(.hmac(SymmetricKey(size: .bits256)))
        case .ed25519: Self(.ed25519(Curve25519.Signing.PrivateKey()))
        }
    }

    /// Opens a sealed secret of the webhook `id`.
    ///
    /// Returns nil if it was sealed under another master key or for another webhook, or was changed.
    package init?(
        _ sealed: SealedWebhookSecret, _ signature: WebhookSignature, of id: WebhookID, under masterKey: MasterKey
    ) {
        guard let combined = Base64URL.decode(sealed.box) else { return nil }
        do {
            let bytes = try AES.GCM.open(
                AES.GCM.SealedBox(combined: combined), using: masterKey.key(for: .webhookSecret),
                authenticating: Data(id.rawValue.utf8))
            key =
                switch signature {
                case .hmac: .hmac(SymmetricKey(data: bytes))
                case .ed25519: .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: bytes))
                }
        } catch {
            return nil
        }
    }

    /// Seals the secret for the webhook `id`. Returns nil only if the cryptographic library fails.
    package func sealed(of id: WebhookID, under masterKey: MasterKey) -> SealedWebhookSecret? {
        do {
            let box = try AES.GCM.seal(
                bytes, using: masterKey.key(for: .webhookSecret), authenticating: Data(id.rawValue.utf8))
            return box.combined.map { SealedWebhookSecret(box: Base64URL.encode($0), publicKey: publicKey) }
        } catch {
            return nil
        }
    }

    private var bytes: Data {
        switch key {
        case .hmac(let key): unsafe key.withUnsafeBytes { unsafe Data($0) }
        case .ed25519(let key): key.rawRepresentation
        }
    }

    private var publicKey: String? {
        guard case .ed25519(let key) = key else { return nil }
        return "whpk_" + key.publicKey.rawRepresentation.base64EncodedString()
    }

    /// The text that the receiver needs: `whsec_…` for HMAC, which is secret, or the public key `whpk_…`.
    package var forReceiver: String { publicKey ?? "whsec_" + bytes.base64EncodedString() }

    /// The signature of `content` as an element of the header `webhook-signature`. Returns nil only if the
    /// cryptographic library fails.
    package func signature(of content: [UInt8]) -> String? {
        switch key {
        case .hmac(let key):
            return "v1," + Data(HMAC<SHA256>.authenticationCode(for: content, using: key)).base64EncodedString()
        case .ed25519(let key):
            do {
                return "v1a," + (try key.signature(for: content)).base64EncodedString()
            } catch {
                return nil
            }
        }
    }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "(webhook secret)" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
