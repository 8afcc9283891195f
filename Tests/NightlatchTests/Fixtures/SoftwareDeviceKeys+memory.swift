import Nightlatch
import NightlatchPlatform
import NightlatchTesting

extension SoftwareDeviceKeys {
    /// Keys in memory, which copies of the value share.
    static func inMemory() -> SoftwareDeviceKeys {
        let keyStores = Shared<[KeyTag: MemoryStore]>([:])
        return SoftwareDeviceKeys { tag in
            keyStores.withLock { stores in
                let store = stores[tag] ?? MemoryStore()
                stores[tag] = store
                return store
            }
        }
    }
}
