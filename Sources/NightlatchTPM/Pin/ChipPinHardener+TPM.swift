public import Nightlatch

extension ChipPinHardener {
    /// Returns a hardener that uses a TPM, which counts wrong PINs.
    ///
    /// A thief gets no more attempts from an old copy of the files or from another machine, and too many wrong PINs
    /// lock the hardener for a time.
    ///
    /// ```swift
    /// let hardener = ChipPinHardener.tpm(name: "vault", store: FileStore(path: "…/vault-pin"))
    /// let vault = Vault(store: store, clock: SystemLockoutClock(), hardener: hardener)
    /// ```
    ///
    /// The count, its limit, and the time after which an attempt is forgotten apply to the whole machine. So wrong
    /// authorisations of other programs count too, and a right PIN does not reset the count. The security depends on
    /// the machine's settings: see `docs/threat-model.md`.
    ///
    /// - Parameters:
    ///   - name: The hardener's own name, such as that of its vault; not empty.
    ///   - tpm: The TPM.
    ///   - store: The store of the sealed keys. Only the hardener may use it; the vault has another one.
    ///   - countProtection: The protection of the TPM's count against resets. Without it no PIN can be set.
    public static func tpm(
        name: String,
        _ tpm: TPM = TPM(),
        store: any SecureStore,
        countProtection: TPMCountProtection = .lockoutPassword
    ) -> ChipPinHardener {
        ChipPinHardener(name: name, chip: TPMPinChip(tpm: tpm, countProtection: countProtection), store: store)
    }
}

extension TPMPinSlotError: PinChipFailure {
    package var verdict: PinChipVerdict {
        switch self {
        case .wrongPin(let lockout): .wrong(wait: lockout.flatMap { $0.isLockedOut ? $0.waitForNextTry : nil })
        case .lockedOut(let lockout): .failed(.lockedOut(wait: lockout.waitForNextTry))
        case .uncounted: .failed(.chip(.uncounted(reason: description)))
        case .tpm(let error): .failed(PinHardenerError(error))
        case .store(let error): .failed(.store(error))
        case .newerFormat: .failed(.chip(.newerFormat))
        // The sealed part is present and its size is valid, so these errors would mean a damaged record.
        case .absent, .secretByteCount, .corrupt: .failed(.chip(.corrupt))
        }
    }
}

extension TPMLockout {
    /// The longest time until the TPM tries a PIN again; nil if it never does by itself.
    fileprivate var waitForNextTry: Duration? { secondsUntilNextTry.map { .seconds($0) } }
}

extension PinHardenerError {
    fileprivate init(_ error: TPMError) {
        switch error {
        case .lockedOut: self = .lockedOut(wait: nil)
        case .noTPM: self = .chip(.absent(reason: error.description))
        case .notPermitted, .ownerPasswordSet, .ownerHierarchyDisabled:
            self = .chip(.refused(reason: error.description))
        // A wrong PIN has its own error. Any other wrong authorisation means that an attacker has interfered with the
        // session.
        case .unreachable, .busy, .noMemory, .unexpected, .wrongAuthorization:
            self = .chip(.unavailable(reason: error.description))
        case .otherTPM: self = .chip(.otherChip)
        case .damaged: self = .chip(.corrupt)
        }
    }
}
