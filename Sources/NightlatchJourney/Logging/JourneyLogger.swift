/// Where an app wants to read what the module does. Nothing secret is ever logged: no PIN, no token, no signature, no challenge.
///
/// The vendor's SDK calls it `Logger`, and so does the module `NightlatchLogger`. The name is not here, because a file that imports the
/// system's `os` has a `Logger` already.
public protocol JourneyLogger: Sendable {
    /// Something for who looks for a defect.
    func d(_ message: String)
    /// Something that happened as it should.
    func i(_ message: String)
    /// Something that did not happen as it should, and was dealt with.
    func w(_ message: String, error: (any Error)?)
    /// Something that did not happen as it should.
    func e(_ message: String, error: (any Error)?)
}
