import Crypto
import Foundation
import NightlatchWire

/// The key that one PIN gives in one slot: HKDF-SHA256 over the stretched PIN. It wraps the vault key and nothing else.
struct PinKey: Sendable {
    private let key: SymmetricKey
    private let slotDescription: Transcript

    /// Stretches `pin`, which takes some tenths of a second, for the slot that the other values describe.
    ///
    /// - Parameter workspace: What was had for `parameters`.
    init(
        _ pin: borrowing Pin,
        vaultID: VaultID,
        epoch: UInt64,
        salt: PinSalt,
        parameters: KeyDerivationParameters,
        in workspace: consuming KeyDerivationWorkspace
    ) async throws(KeyDerivationFailure) {
        var description = VaultKey.slotInfo(.pin, vaultID: vaultID, epoch: epoch)
        description.append([UInt8](StrictJSON.encode(parameters)))
        slotDescription = description
        let stretched = try await workspace.stretch(pin, salt: salt.bytes)
        key = CryptographyResidue.wiping {
            unsafe stretched.withUnsafeBytes { stretched in
                unsafe HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: UnsafeRawBufferPointer(stretched)), salt: salt.bytes,
                    info: description.bytes, outputByteCount: 32)
            }
        }
    }

    func wrap(_ vaultKey: VaultKey) -> SealedBytes {
        SealedBytes(sealing: vaultKey.bytes, under: key, authenticating: slotDescription)
    }

    /// The vault key, or nil if the tag does not verify: the PIN is wrong.
    func unwrap(_ box: SealedBytes, vaultID: VaultID) -> VaultKey? {
        guard let bytes = box.open(under: key, authenticating: slotDescription) else { return nil }
        return VaultKey(bytes, vaultID: vaultID)
    }
}
