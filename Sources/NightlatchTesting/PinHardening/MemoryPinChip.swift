import Crypto
import Foundation
public import Nightlatch

/// A chip in memory that tries PINs, for tests. Copies of the value are the same chip.
///
/// ```swift
/// let chip = MemoryPinChip()
/// let vault = Vault(
///     store: MemoryStore(), clock: ManualClock(), hardener: chip.hardener(name: "vault", store: MemoryStore()))
/// ```
///
/// It replaces the Secure Enclave of a phone or the TPM of a machine. Like a TPM it counts wrong PINs, and a right one
/// does not reset its count. After the fifth it tries no PIN any more.
public struct MemoryPinChip: Sendable {
    package struct State: Sendable {
        let key = SymmetricKey(size: .bits256)
        package var wrongCount = 0
        /// The number of wrong PINs at which the chip locks.
        package var limit = 5
        /// How long the chip locks; nil means without end.
        package var lockedFor: Duration? = .seconds(1000)
        /// The error of every call.
        package var failure: PinHardenerError?
        /// Whether the chip seals another secret than it gets.
        package var isForgetful = false
        package var sealCount = 0
    }

    package let state = Shared(State())

    /// Creates a chip. It opens nothing that another chip has sealed.
    public init() {}

    /// Returns a hardener in this chip.
    ///
    /// - Parameters:
    ///   - name: The hardener's own name. A vault needs a hardener with the same name each time.
    ///   - store: The store of the sealed keys. Nothing else may use it.
    public func hardener(name: String, store: any SecureStore) -> ChipPinHardener {
        ChipPinHardener(name: name, chip: self, store: store)
    }

    /// Makes every later call fail with `error`; nil ends that. `PinHardenerError.chip(.absent(reason: "none"))` is the
    /// error of a device without such a chip.
    public func answer(_ error: PinHardenerError?) {
        state.withLock { $0.failure = error }
    }
}

extension MemoryPinChip: PinChip {
    package enum Failure: PinChipFailure {
        case absent, corrupt, newerFormat, secretByteCount
        case store(StoreError)
        case wrong(wait: Duration?)
        case other(PinHardenerError)

        package var verdict: PinChipVerdict {
            switch self {
            case .wrong(let wait): .wrong(wait: wait)
            case .other(let error): .failed(error)
            case .store(let error): .failed(.store(error))
            case .newerFormat: .failed(.chip(.newerFormat))
            case .absent, .corrupt, .secretByteCount: .failed(.chip(.corrupt))
            }
        }
    }

    package func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(Failure) -> [UInt8] {
        let (kept, pin) = (Self.bytes(secret), Self.bytes(stretchedPin))
        return try state.withLock { state -> Result<[UInt8], Failure> in
            state.sealCount += 1
            if let failure = state.failure { return .failure(.other(failure)) }
            let content = Data((state.isForgetful ? kept.map { $0 ^ 1 } : kept) + Self.digest(of: pin))
            do {
                let box = try AES.GCM.seal(content, using: state.key, authenticating: Data(name.utf8))
                return .success(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
            } catch {
                return .failure(.corrupt)
            }
        }.get()
    }

    package func open(
        _ sealed: [UInt8],
        with stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(Failure) -> SecretBytes {
        let pin = Self.bytes(stretchedPin)
        let secret = try state.withLock { state -> Result<[UInt8], Failure> in
            if let failure = state.failure { return .failure(.other(failure)) }
            guard state.wrongCount < state.limit else { return .failure(.other(.lockedOut(wait: state.lockedFor))) }
            let content: Data
            do {
                let box = try AES.GCM.SealedBox(combined: sealed)
                content = try AES.GCM.open(box, using: state.key, authenticating: Data(name.utf8))
            } catch {
                return .failure(.other(.chip(.otherChip)))
            }
            guard content.suffix(32).elementsEqual(Self.digest(of: pin)) else {
                state.wrongCount += 1
                return .failure(.wrong(wait: state.wrongCount < state.limit ? nil : state.lockedFor))
            }
            return .success(Array(content.dropLast(32)))
        }.get()
        return SecretBytes(copying: secret)
    }

    private static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
        unsafe secret.withUnsafeBytes { unsafe Array($0) }
    }

    private static func digest(of pin: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: pin)) }
}
