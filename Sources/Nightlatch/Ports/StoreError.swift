/// An error that occurs while a store carries out an operation. Two errors are equal if their codes are equal, so that
/// callers and tests can compare them.
public struct StoreError: Error, Sendable {
    public let code: Code
    /// The system's status, if a system call failed: `errno` for files, `OSStatus` for the Keychain.
    public let systemStatus: Int32?
    /// The reason for ``Code/unavailable``, if no system call failed.
    public let reason: Reason?

    public init(_ code: Code, systemStatus: Int32? = nil, reason: Reason? = nil) {
        self.code = code
        self.systemStatus = systemStatus
        self.reason = reason
    }

    /// The reason why a change was given up although the store answers. The last try wrote nothing.
    public enum Reason: Hashable, Sendable {
        /// A read finds this revision, or no record if nil. But the store refuses to replace that, because the write
        /// finds another revision.
        case contradiction(found: UInt64?)
        /// Other callers wrote first, every time.
        case overtaken(times: Int)
        /// The caller's task was cancelled between two tries.
        case cancelled
        /// Another process or another task holds this lock file and does not release it.
        ///
        /// If no such process seems to be running, one may be suspended: end it, or try again later.
        case lockHeld(path: String)
    }

    /// Whether the store gave two answers that contradict each other.
    var contradicts: Bool {
        if case .contradiction = reason { true } else { false }
    }

    public enum Code: Hashable, Sendable, CaseIterable {
        /// The store has another revision. Read again and decide again.
        case conflict
        /// The store cannot be used now: the device is locked, or the disk does not answer. Try again later. As far as
        /// is known, nothing is lost.
        case unavailable
        /// There is no space. Make room and try again.
        case full
        /// The system does not allow the operation: permissions, a read-only disk, a missing entitlement. The user or
        /// an administrator must change that.
        case refused
        /// The stored bytes are not what was written. Trying again does not help.
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
        if let reason { return reason.description }
        let reason =
            switch code {
            case .conflict: "another caller has changed the record"
            case .unavailable: "the store cannot be used now; try again later"
            case .full: "there is no space left for the record"
            case .refused: "the system does not allow the store to be used"
            case .corrupt: "the record is damaged"
            case .newerFormat: "the record was written by a newer version: update the app"
            }
        return systemStatus.map { "\(reason) (system status \($0))" } ?? reason
    }
}

extension StoreError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .contradiction(found: nil):
            "the store contradicts itself: it finds no record, but refuses a new one because one exists; try again "
                + "later, and restart the device if that does not help"
        case .contradiction(let revision?):
            "the store contradicts itself: it finds revision \(revision), but refuses to replace it; try again later, "
                + "and restart the device if that does not help"
        case .overtaken(let times): "other callers changed the record first, \(times) times in a row; try again later"
        case .lockHeld(let path): "another process holds the lock \(path): end that process, or try again later"
        case .cancelled: "the call was cancelled while it waited to try again"
        }
    }
}
