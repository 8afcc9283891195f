package import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
package import NightlatchWire

/// The answer to a refusal, in the terms of HTTP and OAuth. The rules themselves depend on neither.
package struct RefusalAnswer: Sendable {
    /// The code of the refusal.
    package let code: ProblemCode
    /// The HTTP status at Nightlatch's own routes.
    package let status: HTTPResponse.Status
    /// The `error` code of OAuth ([RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
    let word: OAuthError.Word
    /// A sentence for people.
    package let sentence: String
    /// The mistake in the request; nil if the answer does not describe it.
    var detail: String?
    /// The state of the device's two-party PIN; nil if the answer does not contain it.
    var pinStanding: PinStanding?
    /// The server's time if a message was refused because of its time; otherwise nil.
    var issuedAt: NumericDate?
    /// The value of the `WWW-Authenticate` header
    /// ([RFC 9110, section 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1)), for every answer with 401.
    var authenticationChallenge: String?
    /// The time to wait, in whole seconds
    /// ([RFC 9110, section 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)). A rate limit computes it.
    /// For other temporary causes it is an estimate.
    package var retryAfter: String?
    /// The methods that the path supports.
    package var allowedMethods: String?

    /// The challenge of [RFC 9449, section 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1), without an error.
    static let dpopChallenge =
        #"DPoP algs="\#(SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: " "))""#
}

extension RefusalAnswer {
    /// Creates the answer to an error that a route throws. An error that is no refusal is a defect.
    package init(to error: any Error) {
        self =
            switch error {
            case let refusal as Refusal: Self(refusal)
            case let refusal as HTTPRefusal: Self(refusal)
            default: Self(.internalError)
            }
    }

    /// The body at Nightlatch's own routes.
    var problem: Problem {
        Problem(
            code, status: status.code, title: sentence, detail: detail, pin: pinStanding, issuedAt: issuedAt)
    }

    /// The answer of Nightlatch's own routes.
    var problemResponse: Response {
        var response = Response(
            status: status, contentType: HTTPField(name: .contentType, value: Problem.contentType), json: problem)
        response.headers[.wwwAuthenticate] = authenticationChallenge
        response.headers[.retryAfter] = retryAfter
        response.headers[.allow] = allowedMethods
        return response
    }

    var oauthError: OAuthError { OAuthError(word, code: code, description: detail ?? sentence) }

    /// The answer of OAuth routes.
    var oauthResponse: Response {
        var response = oauthError.response
        response.headers[.retryAfter] = retryAfter
        if response.status == .unauthorized {
            response.headers[.wwwAuthenticate] =
                [.backendKeyRefused, .appAuthenticationRefused].contains(code)
                ? authenticationChallenge : Self.dpopChallenge
        }
        return response
    }

    /// The answer of OpenID Connect's routes: the members of the standard and no others, because some clients read an
    /// error with other members as one of another protocol.
    ///
    /// - Parameter isResource: Whether the route is one that a client calls with an access token. There a refused proof
    ///   gets 401 and a challenge ([RFC 9449, section 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1)); at the
    ///   other routes it gets 400.
    func openIDResponse(isResource: Bool) -> Response {
        var (word, status, challenge) = (word, status, authenticationChallenge)
        if isResource, code == .accessTokenRefused {
            word = .invalidToken
            // A request without a token gets a challenge without an error (RFC 6750, section 3.1).
            let error = challenge == Self.dpopChallenge ? "" : #" error="invalid_token","#
            challenge = #"Bearer realm="nightlatch",\#(error) "# + Self.dpopChallenge
        }
        if !isResource, [.invalidDPoPProof, .useDPoPNonce].contains(word) { status = .badRequest }
        var response = Self.openIDResponse(word, detail ?? sentence, status: status)
        response.headers[.retryAfter] = retryAfter
        response.headers[.allow] = allowedMethods
        if status == .unauthorized { response.headers[.wwwAuthenticate] = challenge }
        return response
    }

    /// An error that has only the members of the standard.
    static func openIDResponse(
        _ word: OAuthError.Word, _ description: String, status: HTTPResponse.Status
    ) -> Response {
        Response(
            .object([.init("error", .string(word.rawValue)), .init("error_description", .string(description))]),
            status: status)
    }
}

extension OAuthError {
    /// The HTTP status at an OAuth route. The standard requires 400 for mistakes of the client, except for a client
    /// that fails to authenticate.
    var status: HTTPResponse.Status {
        switch error {
        case .invalidClient where code == .appUnknown: .badRequest
        case .invalidClient: .unauthorized
        case .temporarilyUnavailable where code == .rateLimited: .tooManyRequests
        case .temporarilyUnavailable: .serviceUnavailable
        case .serverError: .internalServerError
        // RFC 6750, section 3.1.
        case .insufficientScope: .forbidden
        case .invalidRequest where code == .bodyTooLarge: .contentTooLarge
        default: .badRequest
        }
    }

    /// The answer of an OAuth route.
    var response: Response {
        Response(status: status, json: self)
    }
}
