import Nightlatch

/// An error that occurs while the TPM carries out an operation.
///
/// Response codes are those of TPM 2.0 Library, part 2, section 6.6, and of `tpm2-tss`.
public enum TPMError: Error, Hashable, Sendable {
    /// The machine has no TPM, or the firmware or the system does not offer it.
    case noTPM
    /// This user may not open the TPM. On Debian the group `tss` may.
    case notPermitted
    /// The TPM does not answer, or the connection to it broke. Try again; the operation may have been carried out.
    case unreachable(responseCode: UInt32)
    /// The TPM is testing itself, or limits writes to its memory. Try again in a moment; nothing was done.
    case busy(responseCode: UInt32)
    /// Other programs have filled the TPM's memory for objects and sessions.
    ///
    /// Try again when they are finished. The system's resource manager prevents this.
    case noMemory(responseCode: UInt32)
    /// The authorisation for the object is wrong. The TPM has counted this, unless the object is exempt.
    case wrongAuthorization(responseCode: UInt32)
    /// There were too many wrong authorisations. The TPM refuses every authorisation that it counts, for the time that
    /// ``TPM/lockout()`` returns.
    case lockedOut
    /// The owner hierarchy has a password. Keys below its storage key can be used only after the password is removed.
    case ownerPasswordSet
    /// The owner hierarchy is disabled, by the firmware or by an administrator.
    case ownerHierarchyDisabled
    /// Another TPM made the key, or this TPM was cleared after that. The key cannot be used any more.
    case otherTPM
    /// The key's record is not the one that the TPM created.
    case damaged
    /// An unexpected response: the chip failed or lacks an algorithm, or this package has a defect.
    case unexpected(responseCode: UInt32)

    /// The response code of the TPM or of the software above it, if there is one.
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
    /// Maps an error of the TPM to an error of the key. The response code becomes the system's status.
    init(_ error: TPMError) {
        let code: Code =
            switch error {
            case .noTPM, .notPermitted, .ownerPasswordSet, .ownerHierarchyDisabled: .refused
            case .unreachable, .busy, .noMemory, .lockedOut, .unexpected: .unavailable
            case .wrongAuthorization: .wrongAccess
            // The record names a key that this TPM does not have.
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
            case .noMemory: "other programs have filled the TPM's memory; try again later"
            case .wrongAuthorization: "the authorisation is wrong"
            case .lockedOut: "the TPM is locked after too many wrong authorisations"
            case .ownerPasswordSet: "the TPM's owner hierarchy has a password"
            case .ownerHierarchyDisabled: "the TPM's owner hierarchy is switched off"
            case .otherTPM: "the key was made by another TPM, or this TPM was cleared"
            case .damaged: "the key's record is damaged"
            case .unexpected: "the TPM failed"
            }
        return responseCode.map { "\(reason) (response code 0x\(String($0, radix: 16)))" } ?? reason
    }
}
