/// The device keys of ``Profiles`` that were created without any. Each call throws `notProvided`.
///
/// It does not know whether a key exists: an earlier run of the app may have passed the keys that created it.
struct NoDeviceKeys: DeviceKeys {
    func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey {
        throw DeviceKeyError(.notProvided)
    }

    func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)? {
        throw DeviceKeyError(.notProvided)
    }

    func remove(_ tag: KeyTag) async throws(DeviceKeyError) {
        throw DeviceKeyError(.notProvided)
    }
}
