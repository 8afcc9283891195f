public import Hummingbird
public import NightlatchTokenVerification

/// A request context that holds the verified access token of a request.
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
    /// The token that ``AccessTokenMiddleware`` verified; nil if that middleware does not run before the route.
    var accessToken: VerifiedAccessToken? { get set }
}
