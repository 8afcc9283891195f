import Nightlatch
import NightlatchWire

/// One key under every tag.
struct OneKey: DeviceKeys {
    let key = KnowledgeKey.random()

    func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey { key }

    func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)? { key }

    func remove(_ tag: KeyTag) async throws(DeviceKeyError) {}
}
