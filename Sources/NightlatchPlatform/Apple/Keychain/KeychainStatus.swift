import Nightlatch

/// What a call to the Keychain returned, an `OSStatus` of SecBase.h. It stands in `StoreError.systemStatus` of what a
/// ``KeychainStore`` throws, for an app that wants to tell a missing entitlement from a person's cancel.
public struct KeychainStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    public static let success = Self(rawValue: 0)
    /// The system does not have the function.
    public static let unimplemented = Self(rawValue: -4)
    public static let diskFull = Self(rawValue: -34)
    /// The database of the Keychain could not be read or written.
    public static let io = Self(rawValue: -36)
    /// A query that the system does not take: a defect.
    public static let parameter = Self(rawValue: -50)
    /// There is no memory.
    public static let allocate = Self(rawValue: -108)
    /// The person cancelled what the system asked them.
    public static let userCanceled = Self(rawValue: -128)
    /// There is no Keychain now, as in an app without a session.
    public static let notAvailable = Self(rawValue: -25291)
    public static let readOnly = Self(rawValue: -25292)
    /// What was given to open the item does not.
    public static let authFailed = Self(rawValue: -25293)
    public static let duplicateItem = Self(rawValue: -25299)
    public static let itemNotFound = Self(rawValue: -25300)
    public static let dataTooLarge = Self(rawValue: -25302)
    /// The device is locked, or asking the person was forbidden.
    public static let interactionNotAllowed = Self(rawValue: -25308)
    /// The item is of a version that the system does not know.
    public static let wrongVersion = Self(rawValue: -25310)
    public static let interactionRequired = Self(rawValue: -25315)
    /// A Mac that is awake without its screen asks nobody.
    public static let inDarkWake = Self(rawValue: -25320)
    /// The item cannot be decrypted.
    public static let decode = Self(rawValue: -26275)
    /// The app lacks an entitlement for the access group, or a Mac's app the one for Keychain sharing.
    public static let missingEntitlement = Self(rawValue: -34018)
}

extension StoreError {
    /// The error for a call to the Keychain that failed. Whether there is an item is not told here: an item that is missing or there
    /// already is a conflict for all that write, and none at all for who reads or erases.
    init(_ status: KeychainStatus, isReading: Bool) {
        let code: Code =
            switch status {
            case .duplicateItem, .itemNotFound: .conflict
            case .interactionNotAllowed, .interactionRequired, .inDarkWake, .notAvailable, .userCanceled, .io,
                .allocate:
                .unavailable
            case .diskFull, .dataTooLarge: .full
            case .missingEntitlement, .authFailed, .readOnly, .parameter, .unimplemented: .refused
            // Who writes has nothing to decrypt: the system could not encrypt, as without a passcode.
            case .decode: isReading ? .corrupt : .refused
            case .wrongVersion: .newerFormat
            // Of what is not known, nothing is known to be lost.
            default: .unavailable
            }
        self.init(code, systemStatus: status.rawValue)
    }
}
