package import NightlatchWire

/// What a user may do about their own devices.
package struct OwnDevices<Store: RelyingPartyStore>: Sendable {
    let store: Store

    /// How many revoked devices a list holds at most: with as many active ones as a user may have, clients still read it.
    package static var revokedDeviceLimit: Int { 20 }

    /// The devices of the caller's user, oldest first: the active ones, and those that were revoked last.
    package func list(for caller: CallingDevice) async throws(Refusal) -> DeviceList {
        let devices = try await answer { () async throws(StoreError) in
            try await store.devices(
                of: caller.user, activeLimit: ActiveDeviceLimit.range.upperBound,
                revokedLimit: Self.revokedDeviceLimit)
        }
        return DeviceList(devices: devices.map { DeviceSummary($0, caller: caller) })
    }

    /// Revokes one of them, be it the caller itself. Another user's device is not found, like one that there is not.
    package func revoke(_ device: DeviceID, for caller: CallingDevice) async throws(Refusal) -> DeviceSummary {
        let revoked = try await answer { () async throws(StoreError) in
            try await store.revoke(device, of: caller.user, by: .user)
        }
        guard let revoked else { throw .notFound }
        return DeviceSummary(revoked, caller: caller)
    }
}

extension DeviceSummary {
    fileprivate init(_ device: RegisteredDevice, caller: CallingDevice) {
        self.init(
            id: device.id, name: device.name, boundAt: device.boundAt, lastLoginAt: device.lastLoginAt,
            status: DeviceSummary.Status(device.bar), isCurrent: device.id == caller.device)
    }
}

extension DeviceSummary.Status {
    /// The word for what is held against a device, or for nothing.
    package init(_ bar: DeviceBar?) {
        switch bar {
        case nil: self = .active
        case .blocked: self = .blocked
        case .revoked: self = .revoked
        case .replaced: self = .replaced
        }
    }
}
