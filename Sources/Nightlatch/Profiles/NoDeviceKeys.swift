/// The device keys of ``Profiles`` that were created without any. Refuses every call.
///
/// It does not know whether a key exists: an earlier run of the app may have passed the keys that created it.
struct NoDeviceKeys: DeviceKeys {
    func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey {
        throw DeviceKeyError(.refused)
    }

    func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)? {
        throw DeviceKeyError(.refused)
    }

    func remove(_ tag: KeyTag) async throws(DeviceKeyError) {
        throw DeviceKeyError(.refused)
    }
}
