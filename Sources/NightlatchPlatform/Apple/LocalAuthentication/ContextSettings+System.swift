#if canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import LocalAuthentication

extension ContextSettings {
    /// Tells a context all that is set here.
    func apply(to context: LAContext) {
        if let localizedReason { context.localizedReason = localizedReason }
        context.localizedFallbackTitle = localizedFallbackTitle
        context.localizedCancelTitle = localizedCancelTitle
        context.interactionNotAllowed = interactionNotAllowed
    }
}
#endif
