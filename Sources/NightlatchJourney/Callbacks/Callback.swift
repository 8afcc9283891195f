/// One question of a step. ``ContinueNode/next()`` sends the values that are set in it.
public protocol Callback: AnyObject, Sendable {
    /// The server's name for this kind.
    var type: String { get }
    /// The callback in its current state, as it is sent to the server.
    var json: [String: Any] { get }
}

/// A callback of this module, which stores the server's JSON.
protocol StatefulCallback: Callback {
    var state: CallbackState { get }
}

extension StatefulCallback {
    public var type: String { state.type }
    public var json: [String: Any] { state.json.foundation }
}
