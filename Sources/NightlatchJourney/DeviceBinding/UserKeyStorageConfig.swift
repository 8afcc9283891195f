/// The place of the list of keys in the vendor's SDK.
///
/// This module keeps its list in the registry of the ``DeviceBindingEnvironment`` and uses no other storage. A call of
/// `bind` or `sign` with a storage here logs a warning.
public final class UserKeyStorageConfig {
    /// The storage of the app. Never read or written.
    public var storage: any Storage<[UserKey]> {
        didSet { isChosen = true }
    }
    /// Whether the app has set a storage.
    private(set) var isChosen = false

    public init() {
        storage = MemoryStorage()
    }

    public init(storage: any Storage<[UserKey]>) {
        self.storage = storage
        isChosen = true
    }
}
