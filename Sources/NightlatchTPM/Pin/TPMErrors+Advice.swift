public import Nightlatch

extension TPMError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noTPM, .ownerPasswordSet, .ownerHierarchyDisabled: ErrorGuidance(.chipUnavailable, .restoreAccess)
        case .notPermitted: ErrorGuidance(.notPermitted, .restoreAccess)
        case .unreachable, .busy, .noMemory, .lockedOut: ErrorGuidance(.chipUnavailable, .tryLater(after: nil))
        case .wrongAuthorization: ErrorGuidance(.wrongPin(triesLeft: nil), .tryAgain)
        case .otherTPM: ErrorGuidance(.fromElsewhere, .bindAgain)
        case .damaged: ErrorGuidance(.damaged, .bindAgain)
        case .unexpected(let code):
            ErrorGuidance(.chipUnavailable, .defect(code: "tpm-\(String(code, radix: 16))"))
        }
    }
}

extension TPMPinSlotError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .absent: ErrorGuidance(.nothingFound, .signIn)
        case .wrongPin: ErrorGuidance(.wrongPin(triesLeft: nil), .tryAgain)
        case .lockedOut(let lockout):
            ErrorGuidance(.pinWaiting(lockout.wait), .tryLater(after: lockout.wait))
        case .uncounted: ErrorGuidance(.chipUnavailable, .restoreAccess)
        case .tpm(let error): .caused(by: error)
        case .store(let error): .caused(by: error)
        case .corrupt: ErrorGuidance(.damaged, .signIn)
        case .newerFormat: ErrorGuidance(.newerVersion, .updateApp)
        case .secretByteCount: ErrorGuidance(.internalFault, .defect(code: "tpm-secret-size"))
        }
    }
}

extension TPMLockout {
    /// The wait; nil if the TPM never tries a PIN again by itself.
    fileprivate var wait: Duration? { secondsUntilNextTry.map { .seconds($0) } }
}
