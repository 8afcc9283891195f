import Nightlatch

/// Why the TPM did not do what was asked. Response codes are those of TPM 2.0 Library, part 2, section 6.6, and of `tpm2-tss`.
public enum TPMError: Error, Hashable, Sendable {
    /// The machine has no TPM, or the firmware or the system does not offer it.
    case noTPM
    /// This user may not open the TPM. On Debian the group `tss` may.
    case notPermitted
    /// The TPM does not answer, or the connection to it broke. Try again; what was asked may have been done.
    case unreachable(responseCode: UInt32)
    /// The TPM tests itself, or spares its memory. Try again in a moment; nothing was done.
    case busy(responseCode: UInt32)
    /// Others fill the TPM's memory for objects and sessions. Try again when they are done; the system's resource manager prevents it.
    case noMemory(responseCode: UInt32)
    /// What was given does not authorise the use of the object. The TPM has counted it if the object has no exemption.
    case wrongAuthorization(responseCode: UInt32)
    /// Too many wrong authorisations: for now the TPM tries none that it counts. ``TPM/lockout()`` tells how long.
    case lockedOut
    /// The owner hierarchy has a password. Keys below its storage key can be used only once it is empty again.
    case ownerPasswordSet
    /// The owner hierarchy is switched off, by the firmware or by an administrator.
    case ownerHierarchyDisabled
    /// Another TPM made the key, or this one was cleared since. It cannot be used any more.
    case otherTPM
    /// The key's record is not what the TPM gave out.
    case damaged
    /// A response that nothing here provides for: a failed chip, one that lacks an algorithm, or a fault of this package.
    case unexpected(responseCode: UInt32)

    /// The code that the TPM or the software above it gave, where there is one.
    public var responseCode: UInt32? {
        switch self {
        case .unreachable(let code), .busy(let code), .noMemory(let code), .wrongAuthorization(let code),
            .unexpected(let code):
            code
        case .noTPM, .notPermitted, .lockedOut, .ownerPasswordSet, .ownerHierarchyDisabled, .otherTPM, .damaged: nil
        }
    }
}

extension DeviceKeyError {
    /// What the TPM failed with, as an error of the key. The response code becomes the system's status.
    init(_ error: TPMError) {
        let code: Code =
            switch error {
            case .noTPM, .notPermitted, .ownerPasswordSet, .ownerHierarchyDisabled: .refused
            case .unreachable, .busy, .noMemory, .lockedOut, .unexpected: .unavailable
            case .wrongAuthorization: .wrongAccess
            // A record without the key that it names.
            case .otherTPM: .absent
            case .damaged: .corrupt
            }
        self.init(code, systemStatus: error.responseCode.map(Int32.init(bitPattern:)))
    }
}

extension TPMError: CustomStringConvertible {
    public var description: String {
        let reason =
            switch self {
            case .noTPM: "there is no TPM, or it is switched off"
            case .notPermitted: "this user may not open the TPM"
            case .unreachable: "the TPM does not answer"
            case .busy: "the TPM is busy; try again in a moment"
            case .noMemory: "other programs fill the TPM's memory"
            case .wrongAuthorization: "the TPM does not accept what was given"
            case .lockedOut: "the TPM is locked after too many wrong authorisations"
            case .ownerPasswordSet: "the TPM's owner hierarchy has a password"
            case .ownerHierarchyDisabled: "the TPM's owner hierarchy is switched off"
            case .otherTPM: "another TPM made the key, or this one was cleared"
            case .damaged: "the key's record was damaged"
            case .unexpected: "the TPM failed"
            }
        return responseCode.map { "\(reason) (response code 0x\(String($0, radix: 16)))" } ?? reason
    }
}
