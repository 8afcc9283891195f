import Nightlatch
import NightlatchWire
import Synchronization

/// Device keys that stay available after their creation: a device key signs without its vault.
final class RememberedKeys: DeviceKeys {
    private let base: any DeviceKeys
    private let made = Mutex<[KeyTag: any DeviceKey]>([:])

    init(_ base: any DeviceKeys) {
        self.base = base
    }

    subscript(tag: KeyTag) -> (any DeviceKey)? { made.withLock { $0[tag] } }

    func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey {
        let key = try await base.create(tag, access: access)
        made.withLock { $0[tag] = key }
        return key
    }

    func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)? {
        try await base.find(tag, access: access)
    }

    func remove(_ tag: KeyTag) async throws(DeviceKeyError) { try await base.remove(tag) }
}
