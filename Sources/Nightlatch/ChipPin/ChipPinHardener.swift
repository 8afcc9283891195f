import Crypto
import Foundation
public import NightlatchWire

/// A hardener in a chip of this device. The chip tries each PIN.
///
/// So a copy of the vault reveals nothing about the PIN, and an attacker with the device can try only as many PINs as
/// the chip allows. The hardener needs no binding and no network: use it for a vault without a relying party.
/// `NightlatchTPM` creates a hardener for a TPM, and `NightlatchPlatform` one for the Secure Enclave.
///
/// A new vault uses it from the first write on. A vault that the PIN alone opens moves to it at the next unlock by PIN.
/// After that, ``OpenVault/pinTier`` is ``PinTier/chip``; it is ``PinTier/local`` if the chip failed. A copy from
/// before the move still reveals the PIN, so ask the user to change it.
///
/// **Limits:**
/// - A TPM forgets wrong PINs after a time and never destroys a key. The Secure Enclave is not known to count wrong
///   PINs at all. So the vault's own count and ``LockoutPolicy`` still apply.
/// - A right PIN clears no count of a chip.
/// - An epoch that was replaced is gone only from the record. An attacker with the chip, and with older copies of this
///   record and of the vault's record, can use the epoch and the PIN of that time.
/// - A relying party treats such a PIN as one that depends on the device alone.
///
/// An epoch is 32 random bytes that the chip has sealed under a value derived from the PIN. All epochs are in one
/// record in a separate store, which is always written whole. After a crash at any point of a change, either the old
/// PIN opens the vault or the new one does. If the record is lost, no PIN opens the vault any more
/// (``PinHardenerError/epochPassed(_:)``), as after the loss of the chip.
public struct ChipPinHardener: PinHardener {
    static let secretByteCount = 32

    let device: HardenedDevice
    let records: Registry<ChipPinRecord>
    private let chip: any PinChip

    /// - Parameters:
    ///   - name: The hardener's own name. A secret that was sealed for one name does not open for another.
    ///   - chip: The chip that seals.
    ///   - store: The store of the record. Nothing else may use it.
    package init(name: String, chip: any PinChip, store: any SecureStore) {
        precondition(!name.isEmpty, "the name of a hardener must not be empty")
        var description = Transcript("nightlatch chip pin hardener")
        description.append(name)
        // The first half of the hash has the length of a device id.
        let digest = SHA256.hash(data: description.bytes).prefix(16)
        device = HardenedDevice(
            chip: DeviceID(unchecked: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()))
        self.chip = chip
        records = Registry(store: store)
    }

    public var ownDevice: HardenedDevice? { device }

    /// Asks the chip to try `input`. The chip counts the trial, if it counts at all.
    ///
    /// For a candidate without a sealed key, the chip seals a new key under `input` and opens it again, which proves
    /// that the chip returns the key.
    ///
    /// - Throws: ``PinHardenerError``, in particular ``PinHardenerError/lockedOut(wait:triesLeft:)``,
    ///   ``PinHardenerError/chip(_:)``, ``PinHardenerError/epochPassed(_:)`` and ``PinHardenerError/elsewhere(_:)``.
    ///   ``PinHardenerError/notGenuine`` if a chip returns other bytes than it has sealed.
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
        // A chip reports no guesses other than this one.
        guard let charged = PinGuessIDs([guess.id]) else { throw .notGenuine }
        return HardenedPin(key: key, guess: guess, charged: charged, triesLeft: nil, wait: wait)
    }

    /// Always false: asking a chip again is a new trial.
    public func hasLostAnswer(for epoch: HardenedEpoch) async -> Bool { false }

    private func seal(
        under input: borrowing SecretBytes,
        for epoch: HardenedEpoch
    ) async throws(PinHardenerError) -> PinChipAnswer {
        let name = epoch.publicKey.rawValue
        let secret = SecretBytes.random(byteCount: Self.secretByteCount)
        let sealed = SealedBytes(bytes: try await chip.sealed(secret, under: input, for: name))
        try await update { record in record.keep(sealed, of: epoch) }
        // Another call may have stored another key, or have opened another epoch.
        guard let kept = try await live(epoch).sealed else { throw .notGenuine }
        let answer = try await chip.answer(kept.bytes, with: input, for: name)
        guard kept == sealed else { return answer }
        guard case .opened(let key) = answer,
            unsafe secret.withUnsafeBytes({ unsafe key == SymmetricKey(data: UnsafeRawBufferPointer($0)) })
        else { throw .notGenuine }
        return answer
    }

    /// Returns key material that opens nothing, always the same for the same input.
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
