/// Why a store could not do what was asked. Equal by code, so that callers and tests can compare.
public struct StoreError: Error, Sendable {
    public let code: Code
    /// The system's status, `errno` for files and `OSStatus` for the Keychain, if the system was asked.
    public let systemStatus: Int32?

    public init(_ code: Code, systemStatus: Int32? = nil) {
        self.code = code
        self.systemStatus = systemStatus
    }

    public enum Code: Hashable, Sendable, CaseIterable {
        /// Another revision is there. Read again and decide anew.
        case conflict
        /// Not now: the device is locked, the disk does not answer. Try again later; nothing is known to be lost.
        case unavailable
        /// There is no space. Make room and try again.
        case full
        /// The system does not allow it: permissions, a read-only disk, a missing entitlement. Someone must change that.
        case refused
        /// What is there is not what was written. Trying again does not help.
        case corrupt
        /// A later version of this package wrote the record. Update the app; the record is untouched.
        case newerFormat
    }
}

extension StoreError: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        let reason =
            switch code {
            case .conflict: "the record was changed by someone else"
            case .unavailable: "the store cannot be used now; try again later"
            case .full: "there is no space left for the record"
            case .refused: "the system does not allow the store to be used"
            case .corrupt: "the stored bytes are not what was written"
            case .newerFormat: "the record was written by a newer version: update the app"
            }
        return systemStatus.map { "\(reason) (system status \($0))" } ?? reason
    }
}
