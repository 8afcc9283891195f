package import Crypto
import Foundation
import NightlatchWire

/// An AES-256-GCM box: nonce, ciphertext and tag, one after the other. In JSON it is base64url.
package struct SealedBytes: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Creates a box from bytes that were sealed elsewhere.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Seals `secret` under a new random nonce.
    ///
    /// A key seals far fewer than 2³² boxes in its lifetime, so random nonces do not repeat (NIST SP 800-38D, section
    /// 8.3).
    package init(sealing secret: borrowing SecretBytes, under key: SymmetricKey, authenticating description: Transcript)
    {
        bytes = CryptographyResidue.wiping {
            unsafe secret.withUnsafeBytes { plaintext in
                do {
                    let box = unsafe try AES.GCM.seal(plaintext, using: key, authenticating: description.bytes)
                    // A box with a nonce of 12 bytes, as `seal` makes it, always has a combined form.
                    return [UInt8](box.combined ?? Data())
                } catch {
                    // `seal` throws only for invalid sizes of keys and data; both are fixed or bounded here.
                    preconditionFailure("AES-GCM could not seal")
                }
            }
        }
    }

    /// Returns the secret, or nil if the tag does not verify: another key, another description, or changed bytes.
    package func open(under key: SymmetricKey, authenticating description: Transcript) -> SecretBytes? {
        CryptographyResidue.wiping {
            guard let box = try? AES.GCM.SealedBox(combined: bytes),
                var plaintext = try? AES.GCM.open(box, using: key, authenticating: description.bytes)
            else { return nil }
            return SecretBytes(wiping: &plaintext)
        }
    }
}

extension SealedBytes: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64URL.decode(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64url")
        }
        self.bytes = bytes
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.encode(bytes))
    }
}
