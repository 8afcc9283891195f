import Crypto
import Foundation
public import NightlatchWire

/// The hardener in a chip of this device: the chip tries each PIN, so a copy of the vault says nothing about it, and who has the device tries
/// as many as the chip lets them.
///
/// It needs no binding and no network: it is for the vault that no relying party has a part in. How it is had, `NightlatchTPM` says for a
/// TPM and `NightlatchPlatform` for the Secure Enclave. A vault is made with it from the first write on, and one that the PIN alone opens
/// moves to it at the next unlock by PIN: ``OpenVault/pinTier`` is ``PinTier/chip`` from then on, and ``PinTier/local`` if the chip failed.
/// What was copied before that tells the PIN still: have it changed.
///
/// **What it does not do.** A TPM forgets wrong PINs after a time and never destroys a key, and the Secure Enclave is not known to count at
/// all: so the vault's own count and ``LockoutPolicy`` stand as ever. A right PIN clears no count of a chip's. An epoch that has gone is gone
/// from the record alone: who has a copy of both records from before a change, and the chip, can use them with the PIN of then. To a
/// relying party it is told as a PIN that nothing but the device has a part in.
///
/// An epoch is 32 random bytes that the chip has sealed under what was made of the PIN. All of them are in one record, in a store of its own,
/// which is written whole: after a crash at any point of a change either the old PIN opens the vault or the new one does. If the record is
/// lost, no PIN opens the vault any more (``PinHardenerError/epochPassed(_:)``), as after the loss of the chip.
public struct ChipPinHardener: PinHardener {
    static let secretByteCount = 32

    let device: HardenedDevice
    let records: Registry<ChipPinRecord>
    private let chip: any PinChip

    /// - Parameters:
    ///   - name: The hardener's own name; what was sealed for one opens for no other.
    ///   - chip: What seals.
    ///   - store: Where the record is kept; it is the hardener's alone.
    package init(name: String, chip: any PinChip, store: any SecureStore) {
        precondition(!name.isEmpty, "a hardener has a name")
        var description = Transcript("nightlatch chip pin hardener")
        description.append(name)
        // The first half of a hash is as long as a device id.
        let digest = SHA256.hash(data: description.bytes).prefix(16)
        device = HardenedDevice(
            chip: DeviceID(unchecked: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()))
        self.chip = chip
        records = Registry(store: store)
    }

    public var ownDevice: HardenedDevice? { device }

    /// Has the chip try `input`: the chip counts it, if it counts. For a candidate that nothing was hardened for yet the chip seals a new key
    /// under it, is asked for that again, and has then proved that it gives it back.
    ///
    /// - Throws: ``PinHardenerError``, of which ``PinHardenerError/lockedOut(wait:)``, ``PinHardenerError/chip(_:)``,
    ///   ``PinHardenerError/epochPassed(_:)``, ``PinHardenerError/elsewhere(_:)`` and, if a chip gives back something else than it has sealed,
    ///   ``PinHardenerError/notGenuine``.
    public func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin {
        let live = try await live(epoch)
        let answer: PinChipAnswer
        if let sealed = live.sealed {
            answer = try await chip.answer(sealed.bytes, with: input, for: live.name.rawValue)
        } else {
            answer = try await seal(under: input, for: epoch)
        }
        let guess = HardenedGuess(id: .random(), window: window ?? .first)
        let (key, wait): (SymmetricKey, Duration?) =
            switch answer {
            case .opened(let key): (key, nil)
            case .wrong(let wait): (Self.useless(input, epoch), wait)
            }
        // A chip tells of no other guesses than the one that it was asked.
        guard let charged = PinGuessIDs([guess.id]) else { throw .notGenuine }
        return HardenedPin(key: key, guess: guess, charged: charged, triesLeft: nil, wait: wait)
    }

    /// Never: to ask a chip again is to try again.
    public func hasLostAnswer(for epoch: HardenedEpoch) async -> Bool { false }

    private func seal(
        under input: borrowing SecretBytes,
        for epoch: HardenedEpoch
    ) async throws(PinHardenerError) -> PinChipAnswer {
        let name = epoch.publicKey.rawValue
        let secret = SecretBytes.random(byteCount: Self.secretByteCount)
        let sealed = SealedBytes(bytes: try await chip.sealed(secret, under: input, for: name))
        try await update { record in record.keep(sealed, of: epoch) }
        // Another call may have kept another key, or have opened another epoch.
        guard let kept = try await live(epoch).sealed else { throw .notGenuine }
        let answer = try await chip.answer(kept.bytes, with: input, for: name)
        guard kept == sealed else { return answer }
        guard case .opened(let key) = answer,
            unsafe secret.withUnsafeBytes({ unsafe key == SymmetricKey(data: UnsafeRawBufferPointer($0)) })
        else { throw .notGenuine }
        return answer
    }

    /// Key material that opens nothing, always the same for the same input.
    private static func useless(_ input: borrowing SecretBytes, _ epoch: HardenedEpoch) -> SymmetricKey {
        CryptographyResidue.wiping {
            unsafe input.withUnsafeBytes { input in
                unsafe HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: UnsafeRawBufferPointer(input)), salt: epoch.publicKey.bytes,
                    info: Transcript("nightlatch chip pin refused").bytes, outputByteCount: secretByteCount)
            }
        }
    }
}
