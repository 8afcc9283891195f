package import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
package import NightlatchWire

/// The answer to a refusal, in the words of HTTP and OAuth. The rules know neither.
package struct RefusalAnswer: Sendable {
    /// The word for it on the wire.
    package let code: ProblemCode
    /// The HTTP status at our own routes.
    package let status: HTTPResponse.Status
    /// The standard's word for it ([RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
    let word: OAuthError.Word
    /// A sentence for people.
    package let sentence: String
    /// The fault of the request, if the answer has it.
    var detail: String?
    /// The state of the device's two-party PIN, if the answer has it.
    var pinStanding: PinStanding?
    /// The time, if a message was refused for its time.
    var issuedAt: NumericDate?
    /// How to do it right ([RFC 9110, section 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1)): for
    /// every answer with 401.
    var authenticationChallenge: String?
    /// The time to wait, in whole seconds
    /// ([RFC 9110, section 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)). A limit on the rate knows
    /// it. Where the cause may pass it is a guess.
    package var retryAfter: String?
    /// The methods that the path has.
    package var allowedMethods: String?

    /// The challenge of [RFC 9449, section 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1), without an error.
    static let dpopChallenge =
        #"DPoP algs="\#(SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: " "))""#
}

extension RefusalAnswer {
    /// The answer to an error that a route throws. An error that is no refusal is a defect.
    init(to error: any Error) {
        self =
            switch error {
            case let refusal as Refusal: Self(refusal)
            case let refusal as HTTPRefusal: Self(refusal)
            default: Self(.internalError)
            }
    }

    /// The body at our own routes.
    var problem: Problem {
        Problem(
            code, status: status.code, title: sentence, detail: detail, pin: pinStanding, issuedAt: issuedAt)
    }

    /// The answer of our own routes.
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
                code == .backendKeyRefused ? authenticationChallenge : Self.dpopChallenge
        }
        return response
    }
}

extension OAuthError {
    /// The HTTP status at an OAuth route. The standard has 400 for all that the client did wrong, save a client that is
    /// not what it says.
    var status: HTTPResponse.Status {
        switch error {
        case .invalidClient: .unauthorized
        case .temporarilyUnavailable where code == .rateLimited: .tooManyRequests
        case .temporarilyUnavailable: .serviceUnavailable
        case .serverError: .internalServerError
        case .invalidRequest where code == .bodyTooLarge: .contentTooLarge
        default: .badRequest
        }
    }

    /// The answer of an OAuth route.
    var response: Response {
        Response(status: status, json: self)
    }
}
