#if (os(iOS) && !targetEnvironment(macCatalyst)) || os(tvOS) || os(watchOS) || os(visionOS)
/// How the system treats an app's files.
package enum SystemFiles {
    /// Whether they outlive the app.
    package static let surviveReinstall = false
    /// Whether they cannot be opened while the device is locked.
    package static let areProtectedWhileLocked = true
}
#else
/// How the system treats an app's files.
package enum SystemFiles {
    /// Whether they outlive the app.
    package static let surviveReinstall = true
    /// Whether they cannot be opened while the device is locked.
    package static let areProtectedWhileLocked = false
}
#endif
