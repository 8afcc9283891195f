/// One question of a step. What is set in it goes back with ``ContinueNode/next()``.
public protocol Callback: AnyObject, Sendable {
    /// What the server calls this kind.
    var type: String { get }
    /// The callback as it would go back now.
    var json: [String: Any] { get }
}

/// A callback of this module, which holds the server's own JSON.
protocol StatefulCallback: Callback {
    var state: CallbackState { get }
}

extension StatefulCallback {
    public var type: String { state.type }
    public var json: [String: Any] { state.json.foundation }
}
