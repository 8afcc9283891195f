import NightlatchRelyingParty
import NightlatchTokenVerification
package import NightlatchWire

/// One route as the OpenAPI description has it. Statuses and codes are those of the refusals themselves, so the two cannot
/// differ.
package struct OpenAPIOperation: Sendable {
    /// Who may call.
    enum Caller: Sendable {
        case anybody
        /// The app's backend, with its key.
        case backend
        /// A device, with an access token and a proof.
        case session
        /// A device, with a proof alone.
        case provedDevice
    }

    /// What a request has in its body.
    enum Body: Sendable {
        case json(schema: String)
        case form(schema: String)
    }

    /// Which answers bring the nonce of the next proof.
    enum Nonce: Sendable {
        case none
        case onSuccess
        case always
    }

    package let route: Route
    /// Its name, which generated code takes for a function.
    let name: String
    let summary: String
    var caller = Caller.anybody
    var body: Body?
    var parameters: [JSONTree] = []
    /// The schema of the answer; nil for an answer without a body.
    let answer: String?
    /// Whether refusals are in the words of OAuth.
    var isOAuth = false
    /// Which answers bring the nonce of the next proof.
    var nonce = Nonce.none
    /// Whether it is refused when too much is under way, or the store does not answer.
    var isBounded = true
    /// What it refuses of its own, beyond what its caller and its body bring along.
    var refusals: [Refusal] = []
    /// What is refused in other words than its code's.
    var words: [OAuthError] = []

    /// Every refusal that it can answer.
    var allRefusals: [RefusalAnswer] {
        // Requests are counted for the address that they come from; those for the backend are without its key.
        var all: [Refusal] = [.internalError, .rateLimited(retryAfter: .zero)]
        if isBounded { all.append(.overloaded) }
        if body != nil { all.append(.malformedRequest) }
        switch caller {
        case .anybody: break
        case .backend: all.append(.backendKeyRefused)
        case .session:
            all += [.accessTokenRefused(.missing), .dpopProofRefused(.wrongKey), .dpopNonceRequired(.nonceMissing)]
            all += [.deviceRevoked, .deviceReplaced, .deviceBlocked]
        case .provedDevice: all += [.dpopProofRefused(.wrongKey), .dpopNonceRequired(.nonceMissing)]
        }
        let ofBody: [HTTPRefusal] = body == nil ? [] : [.unsupportedMediaType, .bodyTooLarge]
        return (all + refusals).map { RefusalAnswer($0) } + ofBody.map { RefusalAnswer($0) }
    }
}
