/// The search attributes of one item, or of all items of a service.
struct KeychainPlace: Sendable {
    let service: String
    /// The account. Nil for all items of the service.
    let account: String?
    /// The access group. Nil for the app's own groups: the system adds items to the first one and searches all of them.
    let accessGroup: String?

    /// The search for the item or items.
    ///
    /// It never matches synchronizable items, because they would leave the device. On a Mac it selects the
    /// data-protection Keychain, which supports access groups and accessibility. Other systems have no other Keychain.
    var query: KeychainDictionary {
        var query: KeychainDictionary = [
            .class: .constant(.classGenericPassword),
            .attrService: .text(service),
            .attrSynchronizable: .flag(false),
            .useDataProtectionKeychain: .flag(true),
        ]
        query[.attrAccount] = account.map { .text($0) }
        query[.attrAccessGroup] = accessGroup.map { .text($0) }
        return query
    }
}

extension KeychainCalls {
    /// Deletes all results of a search.
    func deleteAll(_ query: KeychainDictionary) -> KeychainStatus {
        var query = query
        if deletionNamesLimit { query[.matchLimit] = .constant(.matchLimitAll) }
        return delete(query)
    }
}
