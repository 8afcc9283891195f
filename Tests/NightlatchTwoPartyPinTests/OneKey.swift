import Nightlatch
import NightlatchTesting
import NightlatchWire

/// One key for every tag.
struct OneKey: DeviceKeys {
    let key = KnowledgeKey.random()
    /// The number of look-ups that find no key, before the key exists.
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
