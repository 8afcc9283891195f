import Nightlatch

/// The status of a call to the Keychain, an `OSStatus` of SecBase.h.
///
/// Errors of a ``KeychainStore`` contain it as `StoreError.systemStatus`. With it, an app can tell a missing
/// entitlement from a cancelled prompt.
public struct KeychainStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    public static let success = Self(rawValue: 0)
    /// The system does not have the function.
    public static let unimplemented = Self(rawValue: -4)
    public static let diskFull = Self(rawValue: -34)
    /// The Keychain's database could not be read or written.
    public static let io = Self(rawValue: -36)
    /// The system does not accept the query. This is a defect.
    public static let parameter = Self(rawValue: -50)
    /// Memory is exhausted.
    public static let allocate = Self(rawValue: -108)
    /// The user cancelled the system's prompt.
    public static let userCanceled = Self(rawValue: -128)
    /// No Keychain is available, for example in an app without a session.
    public static let notAvailable = Self(rawValue: -25291)
    public static let readOnly = Self(rawValue: -25292)
    /// The authentication for the item failed.
    public static let authFailed = Self(rawValue: -25293)
    public static let duplicateItem = Self(rawValue: -25299)
    public static let itemNotFound = Self(rawValue: -25300)
    public static let dataTooLarge = Self(rawValue: -25302)
    /// The device is locked, or the call may not ask the user.
    public static let interactionNotAllowed = Self(rawValue: -25308)
    /// The system does not know the version of the item.
    public static let wrongVersion = Self(rawValue: -25310)
    public static let interactionRequired = Self(rawValue: -25315)
    /// The Mac is awake with its screen off, so the system shows no prompt.
    public static let inDarkWake = Self(rawValue: -25320)
    /// The item could not be decrypted.
    public static let decode = Self(rawValue: -26275)
    /// The app lacks the entitlement for the access group, or on a Mac the one for Keychain sharing.
    public static let missingEntitlement = Self(rawValue: -34018)
}

extension StoreError {
    /// Creates the error for a failed call to the Keychain.
    ///
    /// A missing or an existing item becomes a conflict, as it is for a write. Reads and `erase` handle a missing item
    /// before they use this initializer.
    init(_ status: KeychainStatus, isReading: Bool) {
        let code: Code =
            switch status {
            case .duplicateItem, .itemNotFound: .conflict
            case .interactionNotAllowed, .interactionRequired, .inDarkWake, .notAvailable, .userCanceled, .io,
                .allocate:
                .unavailable
            case .diskFull, .dataTooLarge: .full
            case .missingEntitlement, .authFailed, .readOnly, .parameter, .unimplemented: .refused
            // A write decrypts nothing. The system could not encrypt, for example without a passcode.
            case .decode: isReading ? .corrupt : .refused
            case .wrongVersion: .newerFormat
            // An unknown status does not mean that data is lost.
            default: .unavailable
            }
        self.init(code, systemStatus: status.rawValue)
    }
}
