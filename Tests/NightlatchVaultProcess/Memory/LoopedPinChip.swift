import Crypto
import Nightlatch

/// A chip in software in the same process, which neither counts nor locks.
///
/// It seals under the value that a TPM compares: the one that ``PinSlotSecret`` derives from the stretched PIN.
struct LoopedPinChip: PinChip {
    private static let purpose: StaticString = "nightlatch looped pin chip"

    enum Failure: PinChipFailure {
        case absent, corrupt, newerFormat, secretByteCount
        case store(StoreError)
        case wrong

        var verdict: PinChipVerdict {
            switch self {
            case .wrong: .wrong(wait: nil)
            case .store(let error): .failed(.store(error))
            case .newerFormat: .failed(.chip(.newerFormat))
            case .absent, .corrupt, .secretByteCount: .failed(.chip(.corrupt))
            }
        }
    }

    func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(Failure) -> [UInt8] {
        let salt = PinSlotSecret.newSalt()
        let key = PinSlotSecret.key(of: stretchedPin, for: Self.purpose, name: name, salt: salt)
        let description = PinSlotSecret.description(Self.purpose, name: name, salt: salt)
        return salt + SealedBytes(sealing: secret, under: key, authenticating: description).bytes
    }

    func open(
        _ sealed: [UInt8],
        with stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(Failure) -> SecretBytes {
        let salt = Array(sealed.prefix(PinSlotSecret.saltByteCount))
        let key = PinSlotSecret.key(of: stretchedPin, for: Self.purpose, name: name, salt: salt)
        let description = PinSlotSecret.description(Self.purpose, name: name, salt: salt)
        let box = SealedBytes(bytes: Array(sealed.dropFirst(salt.count)))
        guard let secret = box.open(under: key, authenticating: description) else { throw .wrong }
        return secret
    }
}
