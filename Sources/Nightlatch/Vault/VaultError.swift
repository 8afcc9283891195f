/// An error that occurs while using a vault, for any reason other than a wrong PIN or biometrics. The vault's secrets
/// are unchanged, unless the store failed during the write; then they have the old or the new values.
///
/// Operations on a vault throw this error itself, or an error of another type that contains it in a case `vault`. The
/// code says what to do:
///
/// ```swift
/// } catch BindingError.vault(.locked) {
///     askForPin()
/// } catch BindingError.vault(let error) where error.code == .unavailable {
///     offerToTryAgain()
/// }
/// ```
///
/// The ``cause`` has the details of the part that failed: a ``StoreError``, ``KeyDerivationFailure`` or
/// ``PinHardenerError``. Two errors are equal if their codes and their causes are equal.
public struct VaultError: Error, Sendable {
    public let code: Code
    private let part: (any AdvisedError & Hashable)?

    public var cause: (any AdvisedError)? { part }

    private init(_ code: Code, _ part: (any AdvisedError & Hashable)? = nil) {
        self.code = code
        self.part = part
    }

    public enum Code: Hashable, Sendable {
        // The opening.
        /// The vault was locked, before the call or during it. Unlock it again. A write that was under way may have
        /// been made.
        case locked
        /// The PIN or the slot was changed or removed, or the vault was removed, since the vault was opened. Unlock it
        /// again.
        case superseded

        // The content.
        /// The name begins with `nightlatch.`, a prefix that is reserved for the library. Nothing was done.
        case reservedName
        /// The sealed secrets would exceed 124 KiB, where each byte of a secret counts as 1⅓ bytes. Store large data
        /// elsewhere, sealed under a key from the vault.
        case tooLarge

        // The record.
        /// The store cannot be used now. Try again later. The cause is the ``StoreError``.
        case unavailable
        /// Another caller has changed the record at the same time. Try again. The cause is the ``StoreError``.
        case conflict
        /// There is no space. Make room and try again. The cause is the ``StoreError``.
        case full
        /// The system does not allow the operation. The cause is the ``StoreError``.
        case refused
        /// The record is damaged, or was changed by a party without the vault key. Trying again does not help. If the
        /// store has found the damage, the cause is its ``StoreError``.
        case corrupt
        /// A newer version of the app wrote the record. Update the app; the record is untouched. The formats are nil
        /// if the store has found this; then the cause is its ``StoreError``.
        case newerFormat(found: Int?, newestKnown: Int?)
        /// The record demands key derivation parameters outside ``KeyDerivationBounds``, so another party has changed
        /// it.
        case unacceptableKeyDerivation
        /// The record was moved here from another store. That store has a key that authenticates the count of wrong
        /// PINs, and this store has none: here an attacker could set the count to any value. Open the vault in its
        /// original store.
        case noRecordKey

        // The key that the PIN gives.
        /// A resource for stretching a PIN was missing, most likely memory. No attempt was counted. Free memory and try
        /// again. The cause is the ``KeyDerivationFailure``.
        case notPrepared
        /// The PIN or the phrase could not be stretched. An attempt that was charged stays charged, since it is unknown
        /// how much an attacker saw. The cause is the ``KeyDerivationFailure``.
        case keyDerivation
        /// The vault's PIN depends on a hardener, but the vault was set up without one. No attempt was counted.
        case noHardener
        /// The hardener gave no key material; the cause is the ``PinHardenerError``. Most often it is
        /// ``PinHardenerError/unavailable(_:)``: the relying party is unreachable.
        ///
        /// No attempt was counted on the device, unless another process has tried a PIN at the same time. If the
        /// hardener was unreachable in the very last step of a change, either the old PIN or the new one opens the
        /// vault, but never both. The next unlock finds out which.
        case hardener
    }
}

extension VaultError {
    public static let locked = VaultError(.locked)
    public static let superseded = VaultError(.superseded)
    public static let reservedName = VaultError(.reservedName)
    public static let tooLarge = VaultError(.tooLarge)
    public static let corrupt = VaultError(.corrupt)
    public static let unacceptableKeyDerivation = VaultError(.unacceptableKeyDerivation)
    public static let noRecordKey = VaultError(.noRecordKey)
    public static let noHardener = VaultError(.noHardener)

    public static func newerFormat(found: Int, newestKnown: Int) -> VaultError {
        VaultError(.newerFormat(found: found, newestKnown: newestKnown))
    }

    public static func store(_ error: StoreError) -> VaultError {
        let code: Code =
            switch error.code {
            case .conflict: .conflict
            case .unavailable: .unavailable
            case .full: .full
            case .refused: .refused
            case .corrupt: .corrupt
            case .newerFormat: .newerFormat(found: nil, newestKnown: nil)
            }
        return VaultError(code, error)
    }

    public static func notPrepared(_ failure: KeyDerivationFailure) -> VaultError { VaultError(.notPrepared, failure) }

    public static func keyDerivation(_ failure: KeyDerivationFailure) -> VaultError {
        VaultError(.keyDerivation, failure)
    }

    public static func hardener(_ error: PinHardenerError) -> VaultError { VaultError(.hardener, error) }

    init(fault: RecordFault) {
        switch fault {
        case .corrupt: self = .corrupt
        case .newerFormat(let found, let newest): self = .newerFormat(found: found, newestKnown: newest)
        case .store(let error): self = .store(error)
        }
    }

    /// Converts the error of opening a promoted change with its PIN.
    init(_ error: UnlockError) {
        switch error {
        case .vault(let error) where error.code == .notPrepared: self.init(.keyDerivation, error.part)
        case .vault(let error): self = error
        case .cancelled: self = .hardener(.cancelled)
        case .noVault, .refused: self = .superseded
        }
    }
}

extension VaultError: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.part.map { AnyHashable($0) } == right.part.map { AnyHashable($0) }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension VaultError {
    /// Lets `catch` name an error: `catch VaultError.locked`.
    public static func ~= (pattern: VaultError, error: any Error) -> Bool { error as? VaultError == pattern }
}

extension VaultError: CustomStringConvertible {
    public var description: String {
        if let part { return String(describing: part) }
        return switch code {
        case .tooLarge: "the secrets would take more than 124 KiB: store large data elsewhere"
        case .corrupt: "the vault is damaged, or another program changed it"
        case .newerFormat(let found?, let newest?):
            "the vault was written by a newer version (format \(found); this version knows \(newest)): update the app"
        case .unacceptableKeyDerivation:
            "the vault's key derivation is outside the allowed range: another program changed it"
        case .noRecordKey:
            "the vault was moved here from another store, whose key authenticates it: open it there"
        case .locked, .superseded, .reservedName, .unavailable, .conflict, .full, .refused, .newerFormat, .notPrepared,
            .keyDerivation, .noHardener, .hardener:
            "\(code)"
        }
    }
}
