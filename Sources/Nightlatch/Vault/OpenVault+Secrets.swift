public import NightlatchWire

extension OpenVault {
    /// Returns the names of all secrets in order, including the library's own (``SecretNameRule``).
    public func names() async throws(VaultError) -> [SecretName] {
        try await current().record.sealed.content.items.keys.sorted().compactMap(SecretName.init)
    }

    /// Returns the secret with the name `name`, or nil if there is none.
    ///
    /// - Throws: ``VaultError``; ``VaultError/reservedName`` for one of the library's own names.
    public func secret(named name: SecretName) async throws(VaultError) -> SecretBytes? {
        guard !name.isReserved else { throw .reservedName }
        return try await anySecret(named: name)
    }

    /// Returns a secret, which may be one of the library's own.
    package func anySecret(named name: SecretName) async throws(VaultError) -> SecretBytes? {
        let opened = try await current()
        guard let box = opened.record.sealed.content.items[name.rawValue] else { return nil }
        guard let secret = opened.key.open(box, as: name) else { throw .corrupt }
        return secret
    }

    /// Seals `secret` under `name` and replaces an earlier value. The secret is durable when this returns.
    ///
    /// - Throws: ``VaultError``; ``VaultError/reservedName`` for one of the library's own names.
    public func set(_ secret: borrowing SecretBytes, named name: SecretName) async throws(VaultError) {
        guard !name.isReserved else { throw .reservedName }
        try await setAny(secret, named: name)
    }

    /// Seals a secret, which may be one of the library's own.
    package func setAny(_ secret: borrowing SecretBytes, named name: SecretName) async throws(VaultError) {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            let opened = try await current()
            var items = opened.record.sealed.content.items
            items[name.rawValue] = opened.key.seal(secret, as: name)
            if try await replace(opened, items: items, retrying: &retries) { return }
        }
    }

    /// Seals `secret` under `name`, unless there is a secret of that name.
    ///
    /// - Returns: Whether `secret` was sealed. If not, the existing secret is unchanged.
    func add(_ secret: borrowing SecretBytes, named name: SecretName) async throws(VaultError) -> Bool {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            let opened = try await current()
            var items = opened.record.sealed.content.items
            guard items[name.rawValue] == nil else { return false }
            items[name.rawValue] = opened.key.seal(secret, as: name)
            if try await replace(opened, items: items, retrying: &retries) { return true }
        }
    }

    /// Removes the secrets with the names `names` in one write. Names without a secret are ignored.
    ///
    /// - Throws: ``VaultError``; ``VaultError/reservedName`` if a name is one of the library's own; then
    ///   nothing is removed.
    public func remove(_ names: Set<SecretName>) async throws(VaultError) {
        guard !names.contains(where: \.isReserved) else { throw .reservedName }
        try await removeAny(names)
    }

    /// Removes secrets, which may include the library's own.
    package func removeAny(_ names: Set<SecretName>) async throws(VaultError) {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            let opened = try await current()
            let old = opened.record.sealed.content.items
            let items = old.filter { item in !names.contains { $0.rawValue == item.key } }
            guard items.count < old.count else { return }
            if try await replace(opened, items: items, retrying: &retries) { return }
        }
    }
}
