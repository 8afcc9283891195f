#if canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import LocalAuthentication

extension ContextSettings {
    /// Applies all settings to a context.
    func apply(to context: LAContext) {
        if let localizedReason { context.localizedReason = localizedReason }
        context.localizedFallbackTitle = localizedFallbackTitle
        context.localizedCancelTitle = localizedCancelTitle
        context.interactionNotAllowed = interactionNotAllowed
    }
}
#endif
