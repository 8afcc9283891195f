/// The calls into the Keychain, and nothing else: all that decides lies above, where it runs and is tested without a Keychain.
package struct KeychainCalls: Sendable {
    /// What a search found.
    package struct Found: Hashable, Sendable {
        package let generic: [UInt8]?
        package let value: [UInt8]?

        package init(generic: [UInt8]?, value: [UInt8]?) {
            self.generic = generic
            self.value = value
        }
    }

    /// `SecItemAdd`.
    package let add: @Sendable (KeychainDictionary) -> KeychainStatus
    /// `SecItemCopyMatching`, with what it found if it found something.
    package let copy: @Sendable (KeychainDictionary) -> (status: KeychainStatus, found: Found?)
    /// `SecItemUpdate`: a search, and what is set in what it finds.
    package let update: @Sendable (KeychainDictionary, KeychainDictionary) -> KeychainStatus
    /// `SecItemDelete`.
    package let delete: @Sendable (KeychainDictionary) -> KeychainStatus
    /// Whether `delete` must be told to take all that it finds, as on a Mac. Elsewhere it takes all, and refuses to be told.
    package let deletionNamesLimit: Bool

    package init(
        add: @escaping @Sendable (KeychainDictionary) -> KeychainStatus,
        copy: @escaping @Sendable (KeychainDictionary) -> (status: KeychainStatus, found: Found?),
        update: @escaping @Sendable (KeychainDictionary, KeychainDictionary) -> KeychainStatus,
        delete: @escaping @Sendable (KeychainDictionary) -> KeychainStatus,
        deletionNamesLimit: Bool
    ) {
        self.add = add
        self.copy = copy
        self.update = update
        self.delete = delete
        self.deletionNamesLimit = deletionNamesLimit
    }
}

/// What is given to a call: attributes of an item, and how to search.
package typealias KeychainDictionary = [KeychainAttribute: KeychainValue]

/// A key of a dictionary, called as Security's constants are without their `kSec`.
package enum KeychainAttribute: Hashable, Sendable, CaseIterable {
    case `class`, attrService, attrAccount, attrGeneric, attrAccessGroup, attrAccessible, attrSynchronizable
    case matchLimit, returnAttributes, returnData, useDataProtectionKeychain, valueData
}

package enum KeychainValue: Hashable, Sendable {
    case text(String)
    case bytes([UInt8])
    case flag(Bool)
    case constant(Constant)

    /// A constant, called as Security's is without its `kSec`.
    package enum Constant: Hashable, Sendable, CaseIterable {
        case classGenericPassword
        case attrAccessibleWhenUnlockedThisDeviceOnly, attrAccessibleWhenPasscodeSetThisDeviceOnly
        case matchLimitOne, matchLimitAll
    }
}
