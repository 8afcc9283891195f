package import NightlatchRelyingParty
import NightlatchTokenVerification
package import NightlatchWire

/// A route in the OpenAPI description. Its statuses and codes are read from the refusals that the server throws.
package struct OpenAPIOperation: Sendable {
    /// The caller that a route admits.
    package enum Caller: Sendable {
        case anybody
        /// The app's backend, with the backend key or an API key that has the scope.
        case backend(APIScope)
        /// An operator's program, with an API key that has the scope.
        case administrator(APIScope)
        /// A device, with an access token and a proof.
        case session
        /// A device, with a proof but no access token.
        case provedDevice
    }

    /// The format of the request's body.
    enum Body: Sendable {
        case json(schema: String)
        case form(schema: String)
    }

    /// The answers that carry the nonce for the next proof.
    enum Nonce: Sendable {
        case none
        case onSuccess
        case always
    }

    package let route: Route
    /// The subject of the operation.
    var tag = OpenAPITag.server
    /// The operation's name, from which generators derive the name of a function.
    let name: String
    let summary: String
    /// The effect, what a repeated request does, and what the caller does with the answer.
    let details: String
    package var caller = Caller.anybody
    var body: Body?
    var parameters: [JSONTree] = []
    /// The schema of the answer; nil for an answer without a body.
    let answer: String?
    /// Whether refusals are OAuth errors.
    package var isOAuth = false
    /// The answers that carry the nonce for the next proof.
    var nonce = Nonce.none
    /// Whether the route refuses requests when too many are in progress or the store does not answer.
    var isBounded = true
    /// The refusals of the route, in addition to those of its caller and its body.
    var refusals: [Refusal] = []
    /// The OAuth errors of the route that ``refusals`` does not produce, because their problem code usually has another
    /// OAuth error.
    var words: [OAuthError] = []

    /// All refusals that the route can answer.
    var allRefusals: [RefusalAnswer] {
        // The address limit counts every request; at the backend's routes, only requests without the key.
        var all: [Refusal] = [.internalError, .rateLimited(retryAfter: .zero)]
        if isBounded { all.append(.overloaded) }
        if body != nil { all.append(.malformedRequest) }
        switch caller {
        case .anybody: break
        case .backend, .administrator: all += [.backendKeyRefused, .apiKeyScopeMissing]
        case .session:
            all += [.accessTokenRefused(.missing), .dpopProofRefused(.wrongKey), .dpopNonceRequired(.nonceMissing)]
            all += [.deviceRevoked, .deviceReplaced, .deviceBlocked]
        case .provedDevice: all += [.dpopProofRefused(.wrongKey), .dpopNonceRequired(.nonceMissing)]
        }
        let ofBody: [HTTPRefusal] = body == nil ? [] : [.unsupportedMediaType, .bodyTooLarge]
        return (all + refusals).map { RefusalAnswer($0) } + ofBody.map { RefusalAnswer($0) }
    }
}
