public import Nightlatch

/// What an app that was removed has left in the Keychain, for the same app when it is installed again.
///
/// Files go with an app, items of the Keychain usually stay. So a file tells a new installation from one that goes on: where it is
/// missing, the app starts for the first time, and whatever lies in the Keychain under its service is from before.
///
/// Ship this with the first version that keeps anything in the Keychain. In a later version it would take an update for an installation;
/// there choose ``Choice/keep`` once.
public struct KeychainLeftovers: Sendable {
    /// What becomes of what is there when an installation starts for the first time.
    public enum Choice: Hashable, Sendable {
        /// Every item of the service goes. Who installs the app anew begins anew.
        case erase
        /// All stays. A PIN, a lockout and a device's keys hold across a removal, so removing the app gives nobody new attempts.
        case keep
    }

    private let place: KeychainPlace
    private let marker: DurableFile
    private let calls: KeychainCalls
    private let blocking = BlockingCalls(label: "nightlatch.keychain-leftovers")

    package init(markerPath: String, service: String, accessGroup: String? = nil, calls: KeychainCalls) {
        precondition(!service.isEmpty, "items of the Keychain have a service")
        place = KeychainPlace(service: service, account: nil, accessGroup: accessGroup)
        marker = DurableFile(path: markerPath)
        self.calls = calls
    }

    /// Does what was chosen if this installation starts for the first time. Call it at every start, before anything else uses the
    /// Keychain.
    ///
    /// The file is written last, so after a crash the next start does it again. Of two processes that start at once one waits for the
    /// other, and is told that it was not the first.
    ///
    /// - Returns: Whether it was the first start.
    /// - Throws: `StoreError`, also if it cannot be told whether the file is there, as before the device was unlocked for the first
    ///   time; then nothing was erased. With `StoreError.Code.conflict` never.
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
    /// - Parameters:
    ///   - markerPath: A file in the app's container or, for items that an App Group shares, in the group's. Its folder is made when
    ///     it is written.
    ///   - service: The service of the app's items.
    ///   - accessGroup: Their access group, as their stores name it.
    public init(markerPath: String, service: String, accessGroup: String? = nil) {
        self.init(markerPath: markerPath, service: service, accessGroup: accessGroup, calls: .system)
    }
}
#endif
