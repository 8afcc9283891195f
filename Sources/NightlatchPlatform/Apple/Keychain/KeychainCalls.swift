/// The calls into the Keychain. All decisions are in the callers, which run and are tested without a Keychain.
package struct KeychainCalls: Sendable {
    /// The result of a search.
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
    /// `SecItemCopyMatching`, with the item if there is one.
    package let copy: @Sendable (KeychainDictionary) -> (status: KeychainStatus, found: Found?)
    /// `SecItemUpdate`: a search, and the attributes to set in its results.
    package let update: @Sendable (KeychainDictionary, KeychainDictionary) -> KeychainStatus
    /// `SecItemDelete`.
    package let delete: @Sendable (KeychainDictionary) -> KeychainStatus
    /// Whether `delete` needs a limit to delete all matches. A Mac requires it. Other systems delete all and refuse a
    /// limit.
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

/// The argument of a call: attributes of an item, and search options.
package typealias KeychainDictionary = [KeychainAttribute: KeychainValue]

/// A key of the dictionary, with the name of Security's constant without its `kSec`.
package enum KeychainAttribute: Hashable, Sendable, CaseIterable {
    case `class`, attrService, attrAccount, attrGeneric, attrAccessGroup, attrAccessible, attrSynchronizable
    case matchLimit, returnAttributes, returnData, useDataProtectionKeychain, valueData
}

package enum KeychainValue: Hashable, Sendable {
    case text(String)
    case bytes([UInt8])
    case flag(Bool)
    case constant(Constant)

    /// A constant, with the name of Security's constant without its `kSec`.
    package enum Constant: Hashable, Sendable, CaseIterable {
        case classGenericPassword
        case attrAccessibleWhenUnlockedThisDeviceOnly, attrAccessibleWhenPasscodeSetThisDeviceOnly
        case matchLimitOne, matchLimitAll
    }
}
