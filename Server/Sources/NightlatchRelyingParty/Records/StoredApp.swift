import NightlatchWire

/// A registered app, as stored.
public struct StoredApp: Hashable, Sendable {
    public let app: App
    /// The number of times that the app was registered or changed.
    public let revision: Int

    /// The largest number of registered apps.
    public static let countLimit = 1000

    public init(app: App, revision: Int) {
        self.app = app
        self.revision = revision
    }
}

extension StoredApp {
    /// The app as a store contains it: strict JSON.
    package var document: String { String(decoding: StrictJSON.bytes(of: app), as: UTF8.self) }
}
