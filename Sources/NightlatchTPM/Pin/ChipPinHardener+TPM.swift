public import Nightlatch

extension ChipPinHardener {
    /// The hardener in a TPM, which counts wrong PINs: neither an old copy of the files nor another machine gives a thief more tries, and too
    /// many lock it for a time.
    ///
    /// ```swift
    /// let hardener = ChipPinHardener.tpm(name: "vault", store: FileStore(path: "…/vault-pin"))
    /// let vault = Vault(store: store, clock: SystemLockoutClock(), hardener: hardener)
    /// ```
    ///
    /// Count, limit, and the time in which a try is forgotten are the whole machine's, so other programs' failures count too, and none is
    /// taken back by a right PIN. What it is worth hangs on the machine's settings: `docs/threat-model.md`.
    ///
    /// - Parameters:
    ///   - name: The hardener's own name, such as that of its vault; not empty.
    ///   - tpm: The TPM.
    ///   - store: Where the sealed keys are kept; it is the hardener's alone, beside the vault's own.
    ///   - countProtection: What must keep others from resetting the TPM's count, for a PIN to be set.
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
        case .store(let error): .failed(.chip(.store(error)))
        case .newerFormat: .failed(.chip(.newerFormat))
        // What is sealed is there and is of a size that fits: both would be faults of the record.
        case .absent, .secretByteCount, .corrupt: .failed(.chip(.corrupt))
        }
    }
}

extension TPMLockout {
    /// Until the TPM tries a PIN again, at most; nil if it never does by itself.
    fileprivate var waitForNextTry: Duration? { secondsUntilNextTry.map { .seconds($0) } }
}

extension PinHardenerError {
    fileprivate init(_ error: TPMError) {
        switch error {
        case .lockedOut: self = .lockedOut(wait: nil)
        case .noTPM: self = .chip(.absent(reason: error.description))
        case .notPermitted, .ownerPasswordSet, .ownerHierarchyDisabled:
            self = .chip(.refused(reason: error.description))
        // A wrong PIN is told before this; what else is not authorised is a session that somebody has interfered with.
        case .unreachable, .busy, .noMemory, .unexpected, .wrongAuthorization:
            self = .chip(.unavailable(reason: error.description))
        case .otherTPM: self = .chip(.otherChip)
        case .damaged: self = .chip(.corrupt)
        }
    }
}
