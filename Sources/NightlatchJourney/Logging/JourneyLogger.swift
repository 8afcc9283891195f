/// Receives the module's log messages. They contain no secret: no PIN, token, signature or challenge.
///
/// The vendor's SDK and the module `NightlatchLogger` call this type `Logger`. This module does not use that name,
/// because it would clash with `Logger` of the system's `os` module.
public protocol JourneyLogger: Sendable {
    /// Logs details for finding a defect.
    func d(_ message: String)
    /// Logs a normal event.
    func i(_ message: String)
    /// Logs a problem that was handled.
    func w(_ message: String, error: (any Error)?)
    /// Logs an error.
    func e(_ message: String, error: (any Error)?)
}
