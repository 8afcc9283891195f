#if (os(iOS) && !targetEnvironment(macCatalyst)) || os(tvOS) || os(watchOS) || os(visionOS)
/// The system's treatment of an app's files.
package enum SystemFiles {
    /// Whether files outlive the app.
    package static let surviveReinstall = false
    /// Whether files cannot be opened while the device is locked.
    package static let areProtectedWhileLocked = true
}
#else
/// The system's treatment of an app's files.
package enum SystemFiles {
    /// Whether files outlive the app.
    package static let surviveReinstall = true
    /// Whether files cannot be opened while the device is locked.
    package static let areProtectedWhileLocked = false
}
#endif
