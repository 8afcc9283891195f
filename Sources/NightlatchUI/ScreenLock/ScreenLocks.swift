import Nightlatch

/// The screen locks of this process, so that those of one profile lock together.
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

    /// The locks of the windows that show the same profile, `screen` among them.
    static func ofProfile(of screen: ScreenLock) -> [ScreenLock] {
        references.compactMap(\.screen).filter { $0.service.profile == screen.service.profile }
    }
}
