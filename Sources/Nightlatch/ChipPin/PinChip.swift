import Crypto

/// A chip that seals a few bytes and gives them out for what was made of the right PIN alone. It keeps nothing: what it has sealed is its
/// caller's to keep, and opens in that chip and no other.
package protocol PinChip: Sendable {
    associatedtype Failure: PinChipFailure

    /// Seals `secret`.
    ///
    /// - Parameters:
    ///   - secret: From 1 to 128 bytes.
    ///   - stretchedPin: What was made of the PIN.
    ///   - name: What it is for: sealed for one name it does not open for another.
    func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(Failure) -> [UInt8]

    /// Has the chip try a PIN on what it has sealed for `name`.
    func open(
        _ sealed: [UInt8],
        with stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(Failure) -> SecretBytes
}

/// Why a chip sealed or opened nothing.
package protocol PinChipFailure: Error {
    static var absent: Self { get }
    static var corrupt: Self { get }
    static var newerFormat: Self { get }
    static var secretByteCount: Self { get }
    static func store(_ error: StoreError) -> Self

    /// What it says of a PIN that was tried.
    var verdict: PinChipVerdict { get }
}

extension PinChipFailure {
    /// What a store failed with that keeps what was sealed.
    init(_ error: StoreError) {
        switch error.code {
        case .corrupt: self = .corrupt
        case .newerFormat: self = .newerFormat
        case .conflict, .unavailable, .full, .refused: self = .store(error)
        }
    }
}

/// What a chip's failure says of a PIN.
package enum PinChipVerdict: Sendable {
    /// It was tried and is wrong, and was counted if the chip counts. For so long the chip tries none now; nil if it tries the next at once.
    case wrong(wait: Duration?)
    /// Nothing is known of it.
    case failed(PinHardenerError)
}

/// What came of having a chip try a PIN.
enum PinChipAnswer: Sendable {
    case opened(SymmetricKey)
    case wrong(wait: Duration?)
}

extension PinChip {
    func answer(
        _ sealed: [UInt8],
        with stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(PinHardenerError) -> PinChipAnswer {
        do {
            let secret = try await open(sealed, with: stretchedPin, for: name)
            return .opened(unsafe secret.withUnsafeBytes { unsafe SymmetricKey(data: UnsafeRawBufferPointer($0)) })
        } catch {
            switch error.verdict {
            case .wrong(let wait): return .wrong(wait: wait)
            case .failed(let error): throw error
            }
        }
    }

    func sealed(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(PinHardenerError) -> [UInt8] {
        do {
            return try await seal(secret, under: stretchedPin, for: name)
        } catch {
            switch error.verdict {
            // To seal tries nothing.
            case .wrong: throw .notGenuine
            case .failed(let error): throw error
            }
        }
    }
}
