import Nightlatch

/// The screen locks of this process. Those of one profile lock together.
@MainActor
enum ScreenLocks {
    private struct Reference {
        weak var screen: ScreenLock?
    }

    private static var references: [Reference] = []

    static func add(_ screen: ScreenLock) {
        references.removeAll { $0.screen == nil }
        references.append(Reference(screen: screen))
    }

    /// Returns the locks of the profile's windows, including `screen`.
    static func ofProfile(of screen: ScreenLock) -> [ScreenLock] {
        references.compactMap(\.screen).filter { $0.service.profile == screen.service.profile }
    }
}
