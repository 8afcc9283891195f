/// An error that occurs while creating, finding or using a key. Two errors are equal if their codes are equal.
public struct DeviceKeyError: Error, Sendable {
    public let code: Code
    /// The system's status, if a system call failed.
    public let systemStatus: Int32?

    public init(_ code: Code, systemStatus: Int32? = nil) {
        self.code = code
        self.systemStatus = systemStatus
    }

    public enum Code: Hashable, Sendable, CaseIterable {
        /// There is already a key under the tag.
        case exists
        /// There is no key under the tag, although there must be one. The device can only be bound again, with a new
        /// key.
        case absent
        /// The given access does not open the key.
        case wrongAccess
        /// The key cannot be used now. Try again later.
        case unavailable
        /// There is no space for the key.
        case full
        /// The system does not allow the operation.
        case refused
        /// The key was damaged. It can only be removed; then bind again.
        case corrupt
        /// A later version of this package wrote the key. Update the app; the key is untouched.
        case newerFormat
        /// The app gave ``Profiles`` no device keys. Pass them where it is created.
        case notProvided
    }

    /// Maps an error of the store that holds a key to an error of the key.
    public init(_ error: StoreError) {
        let code: Code =
            switch error.code {
            case .conflict: .exists
            case .unavailable: .unavailable
            case .full: .full
            case .refused: .refused
            case .corrupt: .corrupt
            case .newerFormat: .newerFormat
            }
        self.init(code, systemStatus: error.systemStatus)
    }
}

extension DeviceKeyError: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension DeviceKeyError: CustomStringConvertible {
    public var description: String {
        let reason =
            switch code {
            case .exists: "there is already a key with this tag"
            case .absent: "the key no longer exists"
            case .wrongAccess: "the password does not open the key"
            case .unavailable: "the key cannot be used now; try again later"
            case .full: "there is no space left for the key"
            case .refused: "the system does not allow the key to be used"
            case .corrupt: "the key is damaged"
            case .newerFormat: "the key was written by a newer version: update the app"
            case .notProvided: "the app passed no device keys where it created `Profiles`"
            }
        return systemStatus.map { "\(reason) (system status \($0))" } ?? reason
    }
}
