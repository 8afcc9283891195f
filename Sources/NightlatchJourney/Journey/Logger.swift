/// Where an app wants to read what the module does. Nothing secret is ever logged: no PIN, no token, no signature, no challenge.
public protocol Logger: Sendable {
    /// Something for who looks for a defect.
    func d(_ message: String)
    /// Something that happened as it should.
    func i(_ message: String)
    /// Something that did not happen as it should, and was dealt with.
    func w(_ message: String, error: (any Error)?)
    /// Something that did not happen as it should.
    func e(_ message: String, error: (any Error)?)
}
