public import Nightlatch

/// A record in one item of the Keychain, which no other device can read.
///
/// To replace a record is one call that searches for the item with the revision expected and changes what it finds, so that of two
/// processes that write at once one finds nothing. The item is a generic password; its revision is its generic attribute
/// (`kSecAttrGeneric`), eight bytes with the most significant first. The value holds three bytes `NLK`, the format's version as a digit,
/// `1`, the revision once more, and the record; it is at most 1 MiB large. That a value is whole is vouched for by the Keychain, which
/// keeps it encrypted and authenticated.
///
/// The item is never synchronized, and readable while the device is unlocked at most. On a Mac it lies in the data-protection Keychain,
/// which asks for an app that is signed with the entitlement for Keychain sharing.
///
/// What it cannot do: an item usually outlives the app's removal (``KeychainLeftovers``), and the restoring of a backup on the same
/// device puts an old one back, unless it is ``Accessibility/whenPasscodeSet``. ``guarantees`` says so.
public struct KeychainStore: SecureStore {
    /// While the item can be read.
    public enum Accessibility: Hashable, Sendable, CaseIterable {
        /// While the device is unlocked. A backup holds the item, for this device alone.
        case whenUnlocked
        /// While the device is unlocked, and only as long as it has a passcode: with the passcode the item goes, and what was in it. No
        /// backup holds it. Without a passcode nothing can be written.
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

    /// An app's removal usually leaves the item, though nobody promises that. An old item can be put back by restoring a backup, and in
    /// any case by whoever has the whole system in their hands.
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
            // The accessibility too, so that another setting holds from the next write on.
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

    /// Asks a second time, for the item alone and none of its content, whether there is none. The Keychain is known to answer
    /// `errSecItemNotFound` for an item that exists: after updates, in prewarmed launches, when access groups change.
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
    /// - Parameters:
    ///   - service: The app's own name for its items, such as its bundle identifier; not empty.
    ///   - account: The name of this record among them; not empty.
    ///   - accessGroup: The group whose apps share the item, an App Group or one of Keychain sharing. Name it as soon as the app has more
    ///     than one: without it an item of the same name in another of its groups could be found.
    ///   - accessibility: While the record can be read. Another one than before holds from the next write on.
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
