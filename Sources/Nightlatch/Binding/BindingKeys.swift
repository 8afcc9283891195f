/// The two keys of a binding, ready to sign.
struct BindingKeys: Sendable {
    let deviceKey: any DeviceKey
    let possessionKey: any DeviceKey

    /// Finds both keys, and creates those that are missing.
    static func findOrCreate(
        _ tags: BindingKeyTags,
        password: borrowing SecretBytes,
        in keys: any DeviceKeys
    ) async throws(DeviceKeyError) -> BindingKeys {
        BindingKeys(
            deviceKey: try await findOrCreate(
                tags.deviceKey, access: .applicationPassword(password.copy()), in: keys),
            possessionKey: try await findOrCreate(tags.possessionKey, access: .unattended, in: keys))
    }

    /// Finds both keys.
    ///
    /// - Throws: ``DeviceKeyError``, with ``DeviceKeyError/Code/absent`` if a key is missing: a binding is useless
    ///   without its keys.
    static func find(
        _ tags: BindingKeyTags,
        password: borrowing SecretBytes,
        in keys: any DeviceKeys
    ) async throws(DeviceKeyError) -> BindingKeys {
        guard
            let deviceKey = try await keys.find(tags.deviceKey, access: .applicationPassword(password.copy())),
            let possessionKey = try await keys.find(tags.possessionKey, access: .unattended)
        else { throw DeviceKeyError(.absent) }
        return BindingKeys(deviceKey: deviceKey, possessionKey: possessionKey)
    }

    private static func findOrCreate(
        _ tag: KeyTag,
        access: borrowing KeyAccess,
        in keys: any DeviceKeys
    ) async throws(DeviceKeyError) -> any DeviceKey {
        if let key = try await keys.find(tag, access: access) { return key }
        do {
            return try await keys.create(tag, access: access)
        } catch {
            // Another call for the same binding may have created the key since the lookup.
            guard error.code == .exists, let key = try await keys.find(tag, access: access) else { throw error }
            return key
        }
    }
}

extension DeviceKeys {
    /// Removes both keys, if they exist.
    func remove(_ tags: BindingKeyTags) async throws(DeviceKeyError) {
        try await remove(tags.deviceKey)
        try await remove(tags.possessionKey)
    }
}
