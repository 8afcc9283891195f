/// Asks a person for an application PIN.
///
/// It is called where `bind` or `sign` was called, and may show its screen wherever it wants.
public protocol PinCollector {
    /// Calls `completion` with what was typed, or with nil if the person has cancelled; once, at any time and from anywhere. After
    /// the callback's timeout nobody listens any more.
    func collectPin(prompt: Prompt, completion: @escaping @Sendable (String?) -> Void)
}
