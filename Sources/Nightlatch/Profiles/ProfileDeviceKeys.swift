import NightlatchWire

/// The device keys of one profile. The registry lists each key before it is created.
struct ProfileDeviceKeys: DeviceKeys {
    let base: any DeviceKeys
    let registry: ProfileRegistry
    let profile: ProfileID

    func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey {
        switch try await note(tag) {
        case .noted: break
        case .noProfile: throw DeviceKeyError(.refused)
        case .tooMany: throw DeviceKeyError(.full)
        }
        let key = try await base.create(tag, access: access)
        // A concurrent call that deregistered the profile may have looked for the key before it existed.
        guard try await isNoted(tag) else {
            try await base.remove(tag)
            throw DeviceKeyError(.refused)
        }
        return key
    }

    func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)? {
        try await base.find(tag, access: access)
    }

    func remove(_ tag: KeyTag) async throws(DeviceKeyError) {
        try await base.remove(tag)
        do {
            try await registry.update { $0[profile]?.deviceKeys.removeAll { $0 == tag } }
        } catch {
            throw DeviceKeyError(error)
        }
    }

    private enum Note {
        case noted, noProfile, tooMany
    }

    private func note(_ tag: KeyTag) async throws(DeviceKeyError) -> Note {
        do {
            return try await registry.update { record in
                guard var entry = record[profile], entry.stage != .deregistering else { return .noProfile }
                guard !entry.deviceKeys.contains(tag) else { return .noted }
                guard entry.deviceKeys.count < ProfileEntry.greatestKeyCount else { return .tooMany }
                entry.deviceKeys.append(tag)
                record[profile] = entry
                return .noted
            }
        } catch {
            throw DeviceKeyError(error)
        }
    }

    private func isNoted(_ tag: KeyTag) async throws(DeviceKeyError) -> Bool {
        let record: ProfileRegistryRecord
        do {
            record = try await registry.read()
        } catch {
            throw DeviceKeyError(error)
        }
        // `note(_:)` has just written the registry. So a store without a registry gives a wrong answer, which says
        // nothing about the profile.
        guard record.revision > 0 else { throw DeviceKeyError(.unavailable) }
        guard let entry = record[profile] else { return false }
        return entry.stage != .deregistering && entry.deviceKeys.contains(tag)
    }
}

extension DeviceKeyError {
    /// Maps an error of the profile registry, which lists the key's tag, to an error of the key.
    fileprivate init(_ error: RegistryError) {
        let code: Code =
            switch error.code {
            case .notRegistered: .refused
            case .unavailable: .unavailable
            case .conflict: .exists
            case .full: .full
            case .refused: .refused
            case .corrupt: .corrupt
            case .newerFormat: .newerFormat
            }
        self.init(code, systemStatus: error.store?.systemStatus)
    }
}
