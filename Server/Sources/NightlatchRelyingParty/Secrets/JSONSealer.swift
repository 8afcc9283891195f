import Crypto
import Foundation
import NightlatchWire

/// Seals JSON values into texts that only this relying party can make, change or read: AES-256-GCM under a key for one
/// purpose.
///
/// Every process with the master key opens them, any number of times; during a rotation, with either master key. A
/// value contains its own expiry.
struct JSONSealer: Sendable {
    private let keys: PurposeKeys

    init(keyring: MasterKeyring, for purpose: MasterKey.Purpose) { keys = keyring.keys(for: purpose) }

    /// Seals `plaintext`, which is JSON, into base64url.
    ///
    /// - Parameters:
    ///   - plaintext: The encoded value.
    ///   - client: The only app for which the text opens; nil if the text is for no app.
    /// - Returns: Nil only if the cryptographic library fails.
    func seal(_ plaintext: Data, for client: ClientID? = nil) -> String? {
        do {
            return try AES.GCM.seal(plaintext, using: keys.sealing, authenticating: Self.context(client)).combined
                .map { Base64URL.encode($0) }
        } catch {
            return nil
        }
    }

    /// The value in `text`; nil if the text is not from this relying party, or for another purpose or app.
    func open<Value: Decodable>(_ text: String, for client: ClientID? = nil) -> Value? {
        guard let bytes = Base64URL.decode(text) else { return nil }
        for key in keys.known {
            if let value: Value = Self.open(bytes, with: key, for: client) { return value }
        }
        return nil
    }

    private static func open<Value: Decodable>(
        _ bytes: [UInt8], with key: SymmetricKey, for client: ClientID?
    ) -> Value? {
        do {
            let box = try AES.GCM.SealedBox(combined: bytes)
            let plaintext = try AES.GCM.open(box, using: key, authenticating: context(client))
            return try StrictJSON.decode(Value.self, from: plaintext, limits: .request)
        } catch {
            return nil
        }
    }

    private static func context(_ client: ClientID?) -> Data { Data((client?.rawValue ?? "").utf8) }
}
