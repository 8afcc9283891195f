import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting

/// The stores that vaults are tested over.
enum StoreKind: CaseIterable {
    /// With a key that authenticates the ledger; files have none.
    case memory
    case file

    func make() -> TestStore {
        switch self {
        case .memory: TestStore(store: MemoryStore(recordKey: MemoryRecordKey()), folder: nil)
        case .file:
            TestStore(folder: TemporaryFolder()) { folder in FileStore(path: folder.path + "/vault") }
        }
    }

    /// A store of this kind that can be made to fail. Memory cannot be written partly; a file leaves half of the new
    /// record beside the old one.
    func makeFaulty() -> (TestStore, FaultyStore) {
        let place = make()
        guard let path = place.folder?.path else { return (place, FaultyStore(place.store)) }
        return (place, FaultyStore(place.store, tearing: Self.tear(fileAt: path + "/vault")))
    }

    /// Leaves half of a new record beside the old one.
    static func tear(fileAt path: String) -> @Sendable (StoredRecord) -> Void {
        { record in
            let half = Data(record.bytes.prefix(record.bytes.count / 2))
            _ = FileManager.default.createFile(atPath: path + ".new", contents: half)
        }
    }
}

/// An empty store, and its folder.
struct TestStore: Sendable {
    let store: any SecureStore
    let folder: TemporaryFolder?

    init(store: any SecureStore, folder: TemporaryFolder?) {
        self.store = store
        self.folder = folder
    }

    init(folder: TemporaryFolder, _ make: (TemporaryFolder) -> any SecureStore) {
        self.init(store: make(folder), folder: folder)
    }
}

/// A folder that is removed with the last reference to it. It is not made until something is written into it.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "nightlatch-\(UUID().uuidString)"

    deinit {
        // Best effort: the system cleans its temporary folder too.
        try? FileManager.default.removeItem(atPath: path)
    }
}
