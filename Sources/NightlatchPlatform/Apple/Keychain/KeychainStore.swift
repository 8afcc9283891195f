public import Nightlatch

/// A record in one Keychain item, which no other device can read.
///
/// A replacement is a single call. It searches for the item with the expected revision and changes the result. If two
/// processes write at the same time, one of them finds no item. The item is a generic password, with these contents:
///
/// - The generic attribute (`kSecAttrGeneric`) is the revision: eight bytes, most significant first.
/// - The value is at most 1 MiB: three bytes `NLK`, the format's version as a digit, `1`, the revision again, and the
///   record. The Keychain encrypts and authenticates it.
///
/// The item is never synchronized, and it is readable only while the device is unlocked. On a Mac it is in the
/// data-protection Keychain, which requires an app with the entitlement for Keychain sharing.
///
/// Limits: an item usually outlives the app's removal (``KeychainLeftovers``). A restored backup on the same device
/// brings an old item back, unless it is ``Accessibility/whenPasscodeSet``. ``guarantees`` states both limits.
public struct KeychainStore: SecureStore {
    /// The times at which the item can be read.
    public enum Accessibility: Hashable, Sendable, CaseIterable {
        /// While the device is unlocked. Backups include the item, but only this device can read it.
        case whenUnlocked
        /// While the device is unlocked, as long as it has a passcode.
        ///
        /// Removing the passcode deletes the item. Backups do not include it. Without a passcode, writes are refused.
        case whenPasscodeSet
    }

    private let place: KeychainPlace
    private let accessibility: Accessibility
    private let calls: KeychainCalls
    private let blocking = BlockingCalls(label: "nightlatch.keychain-store")

    package init(
        service: String,
        account: String,
        accessGroup: String? = nil,
        accessibility: Accessibility = .whenUnlocked,
        calls: KeychainCalls
    ) {
        precondition(!service.isEmpty && !account.isEmpty, "an item of the Keychain needs a service and an account")
        place = KeychainPlace(service: service, account: account, accessGroup: accessGroup)
        self.accessibility = accessibility
        self.calls = calls
    }

    /// The guarantees of a Keychain item.
    ///
    /// The item usually survives the app's removal, though the system does not promise this. A restored backup can
    /// bring back an old item, and so can an attacker who controls the whole system.
    public var guarantees: StoreGuarantees {
        StoreGuarantees(isDeviceBound: true, survivesReinstall: true, resistsRollback: false)
    }

    public func read() async throws(StoreError) -> StoredRecord? {
        try await blocking.run { () throws(StoreError) in
            var query = place.query
            query[.returnAttributes] = .flag(true)
            query[.returnData] = .flag(true)
            query[.matchLimit] = .constant(.matchLimitOne)
            let (status, found) = calls.copy(query)
            switch status {
            case .success:
                guard let found else { throw StoreError(.corrupt) }
                return try KeychainRecord.decode(found)
            case .itemNotFound:
                try confirmAbsence()
                return nil
            default: throw StoreError(status, isReading: true)
            }
        }
    }

    public func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        guard record.bytes.count <= KeychainRecord.recordByteCountLimit else { throw StoreError(.full) }
        try await blocking.run { () throws(StoreError) in
            // The accessibility is set too, so that a changed setting takes effect with the next write.
            let new: KeychainDictionary = [
                .attrAccessible: .constant(accessibility.constant),
                .attrGeneric: .bytes(KeychainRecord.bytes(of: record.revision)),
                .valueData: .bytes(KeychainRecord.encode(record)),
            ]
            let status =
                if let expected {
                    calls.update(query(revision: expected), new)
                } else {
                    calls.add(place.query.merging(new) { _, new in new })
                }
            guard status == .success else { throw StoreError(status, isReading: false) }
        }
    }

    public func remove(expecting expected: UInt64) async throws(StoreError) {
        try await blocking.run { () throws(StoreError) in
            let status = calls.deleteAll(query(revision: expected))
            guard status == .success else { throw StoreError(status, isReading: false) }
        }
    }

    public func erase() async throws(StoreError) {
        try await blocking.run { () throws(StoreError) in
            let status = calls.deleteAll(place.query)
            if status == .itemNotFound { return try confirmAbsence() }
            guard status == .success else { throw StoreError(status, isReading: false) }
        }
    }

    /// Confirms with a second search that there is no item. The search does not read the value.
    ///
    /// The Keychain is known to return `errSecItemNotFound` for existing items: after updates, in prewarmed launches,
    /// and when access groups change.
    private func confirmAbsence() throws(StoreError) {
        var query = place.query
        query[.returnAttributes] = .flag(true)
        query[.matchLimit] = .constant(.matchLimitOne)
        let status = calls.copy(query).status
        switch status {
        case .itemNotFound: return
        case .success: throw StoreError(.unavailable, systemStatus: KeychainStatus.itemNotFound.rawValue)
        default: throw StoreError(status, isReading: true)
        }
    }

    private func query(revision: UInt64) -> KeychainDictionary {
        var query = place.query
        query[.attrGeneric] = .bytes(KeychainRecord.bytes(of: revision))
        return query
    }
}

extension KeychainStore.Accessibility {
    fileprivate var constant: KeychainValue.Constant {
        switch self {
        case .whenUnlocked: .attrAccessibleWhenUnlockedThisDeviceOnly
        case .whenPasscodeSet: .attrAccessibleWhenPasscodeSetThisDeviceOnly
        }
    }
}

#if canImport(Security)
extension KeychainStore {
    /// Creates a store for one item.
    ///
    /// - Parameters:
    ///   - service: The app's name for its items, such as its bundle identifier. Not empty.
    ///   - account: The name of this record among them. Not empty.
    ///   - accessGroup: The group of the apps that share the item, an App Group or one of Keychain sharing. Set it if
    ///     the app has more than one group. Otherwise a search could find an item of the same name in another group.
    ///   - accessibility: The times at which the record can be read. A change takes effect with the next write.
    public init(
        service: String,
        account: String,
        accessGroup: String? = nil,
        accessibility: Accessibility = .whenUnlocked
    ) {
        self.init(
            service: service, account: account, accessGroup: accessGroup, accessibility: accessibility, calls: .system)
    }
}
#endif
