/// Where an item lies, or all items of a service: what a search for them says.
struct KeychainPlace: Sendable {
    let service: String
    /// Nil for all of the service.
    let account: String?
    /// Nil for the app's own: what is added lies in the first of its groups, what is searched for may lie in any.
    let accessGroup: String?

    /// Never synchronizable: the value would leave the device. On a Mac the Keychain must be told to be the one that knows access
    /// groups and accessibility; elsewhere there is no other.
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
    /// Deletes all that a search finds.
    func deleteAll(_ query: KeychainDictionary) -> KeychainStatus {
        var query = query
        if deletionNamesLimit { query[.matchLimit] = .constant(.matchLimitAll) }
        return delete(query)
    }
}
