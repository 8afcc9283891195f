import Nightlatch
import NightlatchTesting
import NightlatchWire

/// One key under every tag.
struct OneKey: DeviceKeys {
    let key = KnowledgeKey.random()
    /// How often it is asked for before it is there.
    let absences = Shared(0)

    func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey { key }

    func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)? {
        let isAbsent = absences.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        return isAbsent ? nil : key
    }

    func remove(_ tag: KeyTag) async throws(DeviceKeyError) {}
}
