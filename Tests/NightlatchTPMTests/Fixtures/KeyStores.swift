import Nightlatch
import NightlatchTPM
import NightlatchTesting
import NightlatchWire

/// Stores for key records in memory, one for each tag.
struct KeyStores: Sendable {
    private let stores = Shared<[KeyTag: MemoryStore]>([:])

    subscript(tag: KeyTag) -> MemoryStore {
        stores.withLock { stores in
            if let known = stores[tag] { return known }
            let new = MemoryStore()
            stores[tag] = new
            return new
        }
    }

    func keys(in tpm: TPM) -> TPMDeviceKeys {
        TPMDeviceKeys(tpm: tpm) { self[$0] }
    }
}
