import Crypto

/// A chip that seals a few bytes and returns them only for a value derived from the right PIN.
///
/// The chip stores nothing: the caller keeps the sealed bytes, which open only in this chip.
package protocol PinChip: Sendable {
    associatedtype Failure: PinChipFailure

    /// Seals `secret`.
    ///
    /// - Parameters:
    ///   - secret: From 1 to 128 bytes.
    ///   - stretchedPin: The value derived from the PIN.
    ///   - name: The use of the secret. A secret that was sealed for one name does not open for another.
    func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(Failure) -> [UInt8]

    /// Asks the chip to try a PIN on bytes that it has sealed for `name`.
    func open(
        _ sealed: [UInt8],
        with stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(Failure) -> SecretBytes
}

/// An error of a chip that seals or opens.
package protocol PinChipFailure: Error {
    static var absent: Self { get }
    static var corrupt: Self { get }
    static var newerFormat: Self { get }
    static var secretByteCount: Self { get }
    static func store(_ error: StoreError) -> Self

    /// The meaning of the error for the PIN that was tried.
    var verdict: PinChipVerdict { get }
}

extension PinChipFailure {
    /// Converts an error of the store that holds the sealed bytes.
    init(_ error: StoreError) {
        switch error.code {
        case .corrupt: self = .corrupt
        case .newerFormat: self = .newerFormat
        case .conflict, .unavailable, .full, .refused: self = .store(error)
        }
    }
}

/// The meaning of a chip's error for the PIN that was tried.
package enum PinChipVerdict: Sendable {
    /// The PIN was tried and is wrong. It was counted if the chip counts. The chip tries no PIN during the wait; nil if
    /// it tries the next one at once.
    case wrong(wait: Duration?)
    /// The error says nothing about the PIN.
    case failed(PinHardenerError)
}

/// The result of asking a chip to try a PIN.
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
            // Sealing tries no PIN.
            case .wrong: throw .notGenuine
            case .failed(let error): throw error
            }
        }
    }
}
