package import NightlatchWire

/// The operations of a user on their own devices.
package struct OwnDevices: Sendable {
    let store: any RelyingPartyStore

    package init(store: any RelyingPartyStore) {
        self.store = store
    }

    /// The largest number of revoked devices in a list.
    ///
    /// A list with this many revoked devices and the largest number of other devices stays below the size that clients
    /// accept.
    package static var revokedDeviceLimit: Int { 20 }

    /// The devices of the caller's user, oldest first: the active ones, and the most recently revoked ones.
    package func list(for caller: CallingDevice) async throws(Refusal) -> DeviceList {
        let devices = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.devices(
                of: caller.user, activeLimit: ActiveDeviceLimit.range.upperBound,
                revokedLimit: Self.revokedDeviceLimit)
        }
        return DeviceList(devices: devices.map { DeviceSummary($0, caller: caller) })
    }

    /// Revokes a device of the user, which may be the caller itself.
    ///
    /// The refusal for another user's device is the same as for an unknown device.
    package func revoke(_ device: DeviceID, for caller: CallingDevice) async throws(Refusal) -> DeviceSummary {
        DeviceSummary(try await change(device, .revoke, for: caller), caller: caller)
    }

    /// Renames a device of the user.
    package func rename(
        _ device: DeviceID,
        _ request: RenameDeviceRequest,
        for caller: CallingDevice
    ) async throws(Refusal) -> DeviceSummary {
        DeviceSummary(try await change(device, .rename(request.name), for: caller), caller: caller)
    }

    /// Blocks a device of the user, which may be the caller itself. A revoked device stays revoked.
    package func block(_ device: DeviceID, for caller: CallingDevice) async throws(Refusal) -> DeviceSummary {
        DeviceSummary(try await change(device, .block, for: caller), caller: caller)
    }

    /// Undoes a block that the user made. A revoked device stays revoked.
    package func unblock(_ device: DeviceID, for caller: CallingDevice) async throws(Refusal) -> DeviceSummary {
        let found = try await change(device, .unblock, for: caller)
        guard found.stop != .blocked else { throw .blockedByOperator }
        return DeviceSummary(found, caller: caller)
    }

    private func change(
        _ device: DeviceID,
        _ change: DeviceChange,
        for caller: CallingDevice
    ) async throws(Refusal) -> DeviceRecord {
        let found = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.change(device, of: caller.user, by: .user, change)
        }
        guard let found else { throw .notFound }
        return found
    }
}

extension DeviceSummary {
    fileprivate init(_ device: DeviceRecord, caller: CallingDevice) {
        self.init(
            id: device.id, name: device.name, boundAt: device.boundAt, lastLoginAt: device.lastLoginAt,
            status: DeviceSummary.Status(device.stop), isCurrent: device.id == caller.device)
    }
}

extension DeviceSummary.Status {
    /// The status of a device that is stopped for the reason `stop`; `active` for nil.
    package init(_ stop: DeviceStop?) {
        switch stop {
        case nil: self = .active
        case .blocked: self = .blocked
        case .revoked: self = .revoked
        case .replaced: self = .replaced
        }
    }
}
