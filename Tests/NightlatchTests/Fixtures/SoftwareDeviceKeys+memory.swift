import Nightlatch
import NightlatchPlatform
import NightlatchTesting

extension SoftwareDeviceKeys {
    /// Keys in memory, which copies of the value share.
    ///
    /// - Parameter store: A store that shares its faults with the stores of the keys.
    static func inMemory(failingWith store: FaultyStore = FaultyStore(MemoryStore())) -> SoftwareDeviceKeys {
        let keyStores = Shared<[KeyTag: FaultyStore]>([:])
        return SoftwareDeviceKeys { tag in
            keyStores.withLock { stores in
                let known = stores[tag] ?? FaultyStore(MemoryStore(), failingWith: store)
                stores[tag] = known
                return known
            }
        }
    }
}
