public import Nightlatch

/// Handles Keychain items that an earlier, removed installation of the app has left behind.
///
/// Removing an app deletes its files but usually not its Keychain items. So a marker file shows whether this
/// installation is new. If the file is missing, the app starts for the first time, and all Keychain items of its
/// service are from an earlier installation.
///
/// Ship this with the first version that stores anything in the Keychain. A later version cannot tell an update from a
/// new installation: if you add this type later, choose ``Choice/keep`` in the version that adds it.
public struct KeychainLeftovers: Sendable {
    /// The treatment of earlier items at the first start of an installation.
    public enum Choice: Hashable, Sendable {
        /// Erases all items of the service. A user who installs the app again starts without data.
        case erase
        /// Keeps all items. A PIN, a lockout and the device's keys survive, so removing the app does not reset the
        /// attempts.
        case keep
    }

    private let place: KeychainPlace
    private let marker: DurableFile
    private let calls: KeychainCalls
    private let blocking = BlockingCalls(label: "nightlatch.keychain-leftovers")

    package init(markerPath: String, service: String, accessGroup: String? = nil, calls: KeychainCalls) {
        precondition(!service.isEmpty, "the service of an item of the Keychain must not be empty")
        place = KeychainPlace(service: service, account: nil, accessGroup: accessGroup)
        marker = DurableFile(path: markerPath)
        self.calls = calls
    }

    /// Carries out `choice` if this installation starts for the first time. Call it at every start, before other uses
    /// of the Keychain.
    ///
    /// The marker file is written last, so after a crash the next start repeats the work. If two processes start at the
    /// same time, one waits for the other and then returns false.
    ///
    /// - Returns: Whether this was the first start.
    /// - Throws: `StoreError`, but never `StoreError.Code.conflict`. An error is also thrown if the marker file cannot
    ///   be examined, for example before the first unlock after the device's start. In that case, nothing was erased.
    public func settle(_ choice: Choice) async throws(StoreError) -> Bool {
        try await LockPatience.standard.run { () async throws(StoreError) in try await settleOnce(choice) }
    }

    private func settleOnce(_ choice: Choice) async throws(StoreError) -> Bool {
        try await blocking.run { () throws(StoreError) in
            guard try isFirstStart() else { return false }
            return try marker.withLock { () throws(StoreError) in
                guard try isFirstStart() else { return false }
                if choice == .erase {
                    let status = calls.deleteAll(place.query)
                    guard status == .success || status == .itemNotFound else {
                        throw StoreError(status, isReading: false)
                    }
                }
                try marker.replace(with: [1])
                return true
            }
        }
    }

    private func isFirstStart() throws(StoreError) -> Bool {
        try marker.read(byteCountLimit: 1) == nil
    }
}

#if canImport(Security)
extension KeychainLeftovers {
    /// Creates a handler for the items of one service.
    ///
    /// - Parameters:
    ///   - markerPath: The marker file, in the app's container. For items that an App Group shares, in the group's
    ///     container. Its folder is made when the file is written.
    ///   - service: The service of the app's items.
    ///   - accessGroup: The access group of the items, the same as in their stores.
    public init(markerPath: String, service: String, accessGroup: String? = nil) {
        self.init(markerPath: markerPath, service: service, accessGroup: accessGroup, calls: .system)
    }
}
#endif
