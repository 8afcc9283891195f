import Crypto
import Foundation
import NightlatchWire

/// The key that one PIN gives in one slot: HKDF-SHA256 over the stretched PIN.
///
/// It wraps the vault key, and the slot commits to it.
struct PinKey: Sendable {
    private let wrappingKey: SymmetricKey
    /// Nil for ``SealedFormat/first``, whose slots commit to no key.
    private let commitment: SymmetricKey?
    private let salt: PinSalt
    private let format: SealedFormat
    private let slotDescription: Transcript

    /// Stretches `pin`, which takes some tenths of a second, for the slot that the other values describe.
    ///
    /// - Parameter workspace: The workspace that was prepared for `parameters`.
    init(
        _ pin: borrowing Pin,
        vaultID: VaultID,
        epoch: UInt64,
        salt: PinSalt,
        parameters: KeyDerivationParameters,
        format: SealedFormat,
        in workspace: consuming KeyDerivationWorkspace
    ) async throws(KeyDerivationFailure) {
        self.salt = salt
        self.format = format
        var description = VaultKey.slotInfo(.pin, vaultID: vaultID, epoch: epoch, format: format)
        description.append([UInt8](StrictJSON.encode(parameters)))
        slotDescription = description
        let stretched = try await workspace.stretch(pin, salt: salt.bytes)
        let key = CryptographyResidue.wiping {
            unsafe stretched.withUnsafeBytes { stretched in
                unsafe HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: UnsafeRawBufferPointer(stretched)), salt: salt.bytes,
                    info: description.bytes, outputByteCount: 32)
            }
        }
        switch format {
        case .first: (wrappingKey, commitment) = (key, nil)
        case .second:
            wrappingKey = Self.expand(key, Transcript("nightlatch pin wrapping key"))
            commitment = Self.expand(key, Transcript("nightlatch pin key commitment"))
        }
    }

    /// Wraps `vaultKey` in a form that a slot or its local tier stores.
    func wrap(_ vaultKey: VaultKey) -> LocalTier {
        LocalTier(
            salt: salt,
            box: SealedBytes(sealing: vaultKey.bytes, under: wrappingKey, authenticating: slotDescription),
            commitment: commitment.map(KeyCommitment.init(of:)))
    }

    /// Returns the vault key, or nil if the PIN is wrong: the commitment does not match, the tag does not verify, or
    /// the box holds no vault key.
    func unwrap(_ tier: LocalTier, vaultID: VaultID) -> VaultKey? {
        if let commitment {
            guard let stored = tier.commitment, stored.matches(commitment) else { return nil }
        }
        guard let bytes = tier.box.open(under: wrappingKey, authenticating: slotDescription) else { return nil }
        return VaultKey(bytes, vaultID: vaultID, format: format)
    }

    private static func expand(_ key: SymmetricKey, _ info: Transcript) -> SymmetricKey {
        CryptographyResidue.wiping {
            HKDF<SHA256>.expand(pseudoRandomKey: key, info: info.bytes, outputByteCount: 32)
        }
    }
}
