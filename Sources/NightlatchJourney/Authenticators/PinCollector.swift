/// Asks a user for an application PIN.
///
/// It is called from the context of `bind` or `sign`, and may show its screen from any context.
public protocol PinCollector: AnyObject {
    /// Asks for a PIN.
    ///
    /// Call `completion` once, at any time and from any thread, with the typed text or with nil if the user cancelled.
    /// After the callback's timeout, the answer is ignored.
    func collectPin(prompt: Prompt, completion: @escaping @Sendable (String?) -> Void)
}
