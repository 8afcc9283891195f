import Crypto
import Foundation
import Nightlatch
import NightlatchTesting

/// A chip in memory that seals under a PIN, counts wrong PINs as a TPM does, and locks for a time. Copies of the value
/// are the same chip.
struct PinChipModel: PinChip {
    struct State: Sendable {
        let key = SymmetricKey(size: .bits256)
        var wrongCount = 0
        /// The number of wrong PINs at which the chip locks.
        var limit = 5
        /// How long the chip locks; nil means without end.
        var lockedFor: Duration? = .seconds(1000)
        /// The error of every call.
        var failure: PinHardenerError?
        /// Whether the chip seals another secret than it gets.
        var isForgetful = false
        var sealCount = 0
    }

    enum Failure: PinChipFailure {
        case absent, corrupt, newerFormat, secretByteCount
        case store(StoreError)
        case wrong(wait: Duration?)
        case other(PinHardenerError)

        var verdict: PinChipVerdict {
            switch self {
            case .wrong(let wait): .wrong(wait: wait)
            case .other(let error): .failed(error)
            case .store(let error): .failed(.store(error))
            case .newerFormat: .failed(.chip(.newerFormat))
            case .absent, .corrupt, .secretByteCount: .failed(.chip(.corrupt))
            }
        }
    }

    let state = Shared(State())

    func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(Failure) -> [UInt8] {
        let (kept, pin) = (Self.bytes(secret), Self.bytes(stretchedPin))
        return try state.withLock { state -> Result<[UInt8], Failure> in
            state.sealCount += 1
            if let failure = state.failure { return .failure(.other(failure)) }
            let content = Data((state.isForgetful ? kept.map { $0 ^ 1 } : kept) + Self.digest(of: pin))
            let box = try? AES.GCM.seal(content, using: state.key, authenticating: Data(name.utf8)).combined
            return .success(Array(box ?? Data()))
        }.get()
    }

    func open(
        _ sealed: [UInt8],
        with stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(Failure) -> SecretBytes {
        let pin = Self.bytes(stretchedPin)
        let secret = try state.withLock { state -> Result<[UInt8], Failure> in
            if let failure = state.failure { return .failure(.other(failure)) }
            guard state.wrongCount < state.limit else { return .failure(.other(.lockedOut(wait: state.lockedFor))) }
            guard let box = try? AES.GCM.SealedBox(combined: sealed),
                let content = try? AES.GCM.open(box, using: state.key, authenticating: Data(name.utf8))
            else { return .failure(.other(.chip(.otherChip))) }
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
