import Crypto
import Foundation
import NightlatchWire

/// The stretched PIN in two halves.
///
/// One half is sent, blinded, to the hardener. The other stays on the device and is combined with the hardener's
/// output.
struct HalvedPin: ~Copyable, Sendable {
    static let byteCount = 64

    private let stretched: SecretBytes

    /// Stretches `pin`, which takes some tenths of a second.
    ///
    /// - Parameter workspace: The workspace that was prepared for the slot's parameters.
    init(
        stretching pin: borrowing Pin,
        salt: PinSalt,
        in workspace: consuming KeyDerivationWorkspace
    ) async throws(KeyDerivationFailure) {
        stretched = try await workspace.stretch(pin, salt: salt.bytes, byteCount: Self.byteCount)
    }

    /// Asks the hardener to harden the PIN for a slot, which charges a guess.
    ///
    /// - Parameter isRepeated: Whether to ask once more if no answer comes. The repeated request is the same guess.
    /// - Returns: The key that the PIN gives for the slot, and the hardener's answer. A wrong PIN gives a key too.
    func harden(
        for slot: HardenedSlotBinding,
        by hardener: any PinHardener,
        in window: PinWindow?,
        isRepeated: Bool = false
    ) async throws(PinHardenerError) -> (key: HardenedPinKey, answer: HardenedPin) {
        let answer: HardenedPin
        do {
            answer = try await hardener.harden(input(for: slot.epoch), for: slot.epoch, in: window)
        } catch {
            guard isRepeated, error.isUnreachable, !Task.isCancelled else { throw error }
            answer = try await hardener.harden(input(for: slot.epoch), for: slot.epoch, in: window)
        }
        return (HardenedPinKey(self, hardenedTo: answer.key, for: slot), answer)
    }

    /// Returns the input of the hardener's function. The input names the device and the epoch, so different devices or
    /// epochs never have the same output.
    private func input(for epoch: HardenedEpoch) -> SecretBytes {
        var transcript = Transcript(PinPurpose.input)
        transcript.append(epoch.device.device.rawValue)
        transcript.append(UInt64(epoch.epoch.rawValue))
        transcript.appendLength(of: Self.byteCount / 2)
        let prefix = transcript.bytes
        return unsafe SecretBytes(byteCount: prefix.count + Self.byteCount / 2) { memory in
            unsafe memory.copyBytes(from: prefix)
            unsafe stretched.withUnsafeBytes { stretched in
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[prefix.count...])
                    .copyBytes(from: stretched[..<(Self.byteCount / 2)])
            }
        }
    }

    /// Returns the half that never leaves the device, followed by `output`.
    fileprivate func keyMaterial(with output: SymmetricKey) -> SymmetricKey {
        let half = Self.byteCount / 2
        let material = unsafe SecretBytes(byteCount: half + output.bitCount / 8) { memory in
            unsafe stretched.withUnsafeBytes { unsafe memory.copyBytes(from: $0[half...]) }
            unsafe output.withUnsafeBytes { output in
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[half...]).copyBytes(from: output)
            }
        }
        return unsafe material.withUnsafeBytes { unsafe SymmetricKey(data: UnsafeRawBufferPointer($0)) }
    }
}

/// The values that a hardened slot is bound to.
struct HardenedSlotBinding: Sendable {
    let vaultID: VaultID
    let epoch: HardenedEpoch
    let salt: PinSalt
    let parameters: KeyDerivationParameters
    /// The format of the sealed part that the slot belongs to.
    let format: SealedFormat

    /// The transcript that the slot's key is derived with, and that its boxes authenticate.
    fileprivate var description: Transcript {
        var description = Transcript(PinPurpose.pinKey)
        description.append(vaultID.rawValue)
        description.append(epoch.device.device.rawValue)
        description.append(UInt64(epoch.epoch.rawValue))
        description.append(epoch.publicKey.bytes)
        description.append([UInt8](StrictJSON.encode(parameters)))
        return description
    }
}

/// The key of one hardened slot, made of a PIN and a hardener's output.
///
/// It wraps the vault key and seals the knowledge key, each under its own derived key.
struct HardenedPinKey: Sendable {
    private let key: SymmetricKey
    private let binding: HardenedSlotBinding
    private let slotDescription: Transcript

    fileprivate init(_ pin: borrowing HalvedPin, hardenedTo output: SymmetricKey, for slot: HardenedSlotBinding) {
        binding = slot
        let description = slot.description
        slotDescription = description
        let material = pin.keyMaterial(with: output)
        key = CryptographyResidue.wiping {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: slot.salt.bytes, info: description.bytes, outputByteCount: 32)
        }
    }

    /// Returns a slot in which this key wraps `vaultKey` and seals `knowledgeKey`.
    func slot(for vaultKey: VaultKey, knowledgeKey: KnowledgeKey) -> PinSlot {
        PinSlot(
            salt: binding.salt, parameters: binding.parameters,
            box: SealedBytes(
                sealing: vaultKey.bytes, under: derive(.vaultKey), authenticating: slotDescription),
            commitment: binding.format == .first ? nil : KeyCommitment(of: derive(.commitment)),
            hardened: HardenedSlot(
                key: binding.epoch,
                knowledgeKey: SealedBytes(
                    sealing: knowledgeKey.bytes, under: derive(.knowledgeKey), authenticating: slotDescription)))
    }

    /// Returns the vault key, or nil if the PIN is wrong: the commitment does not match, the tag does not verify, or
    /// the box holds no vault key.
    func unwrap(_ slot: PinSlot) -> VaultKey? {
        if binding.format != .first {
            guard let stored = slot.commitment, stored.matches(derive(.commitment)) else { return nil }
        }
        guard let bytes = slot.box.open(under: derive(.vaultKey), authenticating: slotDescription) else { return nil }
        return VaultKey(bytes, vaultID: binding.vaultID, format: binding.format)
    }

    /// Returns the knowledge key, or nil if this key did not seal it.
    func knowledgeKey(in slot: HardenedSlot) -> KnowledgeKey? {
        guard let bytes = slot.knowledgeKey.open(under: derive(.knowledgeKey), authenticating: slotDescription) else {
            return nil
        }
        return KnowledgeKey(bytes)
    }

    private func derive(_ purpose: PinPurpose) -> SymmetricKey {
        let info = Transcript(purpose)
        return CryptographyResidue.wiping {
            HKDF<SHA256>.expand(pseudoRandomKey: key, info: info.bytes, outputByteCount: 32)
        }
    }
}

extension Transcript {
    fileprivate init(_ purpose: PinPurpose) { self.init(text: purpose.rawValue) }
}
