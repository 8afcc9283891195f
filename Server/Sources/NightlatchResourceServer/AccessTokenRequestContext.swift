public import Hummingbird
public import NightlatchTokenVerification

/// A request's context that can hold who calls.
///
/// ```swift
/// struct APIContext: AccessTokenRequestContext {
///     var coreContext: CoreRequestContextStorage
///     var accessToken: VerifiedAccessToken?
///
///     init(source: ApplicationRequestContextSource) {
///         coreContext = .init(source: source)
///     }
/// }
/// ```
public protocol AccessTokenRequestContext: RequestContext {
    /// What ``AccessTokenMiddleware`` has verified; nil where it does not stand before the route.
    var accessToken: VerifiedAccessToken? { get set }
}
