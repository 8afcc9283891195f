import Crypto
import Foundation
import NightlatchPBKDF2

extension RecoveryPhrase {
    /// Returns the BIP-39 seed of this phrase without a passphrase: 64 bytes, from 2,048 rounds of PBKDF2-HMAC-SHA512.
    ///
    /// - Throws: ``KeyDerivationFailure`` if the system's function failed, which says nothing about the phrase.
    public borrowing func seed() throws(KeyDerivationFailure) -> SecretBytes {
        try seed(passphrase: SecretBytes(copying: []))
    }

    /// Returns the BIP-39 seed of this phrase with a passphrase: 64 bytes, from 2,048 rounds of PBKDF2-HMAC-SHA512.
    ///
    /// Every passphrase gives a seed. A wrong passphrase causes no error here, but its seed opens nothing.
    ///
    /// - Parameter passphrase: UTF-8 in the normalization form NFKD. ASCII text always has this form.
    /// - Throws: ``KeyDerivationFailure`` if the system's function failed, which says nothing about the phrase.
    public borrowing func seed(passphrase: borrowing SecretBytes) throws(KeyDerivationFailure) -> SecretBytes {
        let sentence = sentence()
        let salt = Self.salt(passphrase)
        do throws(PBKDF2.Failure) {
            return try CryptographyResidue.wiping { () throws(PBKDF2.Failure) in
                unsafe try sentence.withUnsafeBytes { sentence throws(PBKDF2.Failure) in
                    unsafe try salt.withUnsafeBytes { salt throws(PBKDF2.Failure) in
                        unsafe try SecretBytes(byteCount: 64) { output throws(PBKDF2.Failure) in
                            unsafe try PBKDF2.deriveKey(
                                from: sentence, salt: salt, hash: .sha512, iterations: 2_048, into: output)
                        }
                    }
                }
            }
        } catch {
            throw KeyDerivationFailure.system(status: error.status)
        }
    }

    /// Returns the keys to which a vault's key is sealed for recovery.
    ///
    /// They are X25519 keys, derived from the seed without a passphrase by HKDF-SHA256
    /// ([RFC 5869](https://www.rfc-editor.org/rfc/rfc5869)) without salt. A phrase always gives the same keys, so the
    /// vault keeps only the public keys.
    ///
    /// - Throws: ``KeyDerivationFailure`` if the system's function failed, which says nothing about the phrase.
    package borrowing func recoveryKeys() throws(KeyDerivationFailure) -> RecoveryKeys {
        let seed = try seed()
        return RecoveryKeys(
            hidden: Self.key(from: seed, info: "nightlatch hidden recovery key"),
            readable: Self.key(from: seed, info: "nightlatch recovery key"))
    }

    private static func key(
        from seed: borrowing SecretBytes,
        info: StaticString
    ) -> Curve25519.KeyAgreement.PrivateKey {
        CryptographyResidue.wiping {
            let key = unsafe seed.withUnsafeBytes { seed in
                unsafe HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: UnsafeRawBufferPointer(seed)),
                    info: Data(info.description.utf8), outputByteCount: 32)
            }
            do {
                return try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: key)
            } catch {
                preconditionFailure("any 32 bytes are an X25519 key, clamped where it is used (RFC 7748, section 5)")
            }
        }
    }

    /// Returns the words, separated by spaces: the password of PBKDF2.
    private borrowing func sentence() -> SecretBytes {
        var byteCount = wordCount.rawValue - 1
        for position in positions { byteCount += RecoveryWordList.words[wordIndex(at: position)].letterCount }
        return unsafe SecretBytes(byteCount: byteCount) { memory in
            var end = 0
            for position in positions {
                let word = RecoveryWordList.words[wordIndex(at: position)]
                if position > 1 {
                    unsafe memory[end] = 0x20
                    end += 1
                }
                for index in 0..<word.letterCount { unsafe memory[end + index] = word.letter(index) }
                end += word.letterCount
            }
        }
    }

    private static func salt(_ passphrase: borrowing SecretBytes) -> SecretBytes {
        let prefix: StaticString = "mnemonic"
        return unsafe passphrase.withUnsafeBytes { passphrase in
            unsafe SecretBytes(byteCount: prefix.utf8CodeUnitCount + passphrase.count) { memory in
                prefix.withUTF8Buffer { unsafe memory.copyBytes(from: $0) }
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[prefix.utf8CodeUnitCount...])
                    .copyBytes(from: passphrase)
            }
        }
    }
}
