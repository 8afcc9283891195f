import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

extension Refusal {
    /// The OAuth error for this refusal ([RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
    var oauthError: OAuthError {
        let word: OAuthError.Word =
            switch self {
            case .signed(let refusal, _): refusal.oauthError.error
            case .messageRefused, .challengeRefused, .challengeExpired, .challengeUsed, .refreshTokenRefused,
                .enrolmentCodeRefused, .credentialsRefused, .accessTokenRefused, .deviceKeyTaken, .tooManyDevices,
                .pinNotEnrolled, .localPinRefused:
                .invalidGrant
            case .deviceRevoked, .deviceReplaced, .deviceBlocked, .backendKeyRefused: .invalidClient
            case .dpopProofRefused: .invalidDPoPProof
            case .dpopNonceRequired: .useDPoPNonce
            case .rateLimited, .overloaded: .temporarilyUnavailable
            // Most of these never occur at an OAuth route.
            case .malformed, .unsupportedMediaType, .bodyTooLarge, .methodNotAllowed, .notFound,
                .blockedByOperator, .transactionIDTaken, .addresseeUnknown,
                .tooManyTransactions, .expiryRefused, .transactionChanged, .transactionConfirmed, .transactionRejected,
                .transactionExpired, .transactionVoided, .messageExpired, .blindedElementRefused,
                .enrolmentCodeRequired, .pinDestroyed, .pinEpochPassed, .pinWindowPassed,
                .pinGuessUnknown, .pinCandidateOpen:
                .invalidRequest
            case .store(let error): error.kind.mayPass ? .temporarilyUnavailable : .serverError
            case .internalError: .serverError
            }
        return OAuthError(word, code: code, description: detail ?? sentence)
    }

    /// The answer of the OAuth routes.
    var oauthResponse: Response {
        var response = oauthError.response
        response.headers[.retryAfter] = retryAfter
        if response.status == .unauthorized {
            response.headers[.wwwAuthenticate] =
                self == .backendKeyRefused ? authenticationChallenge : Self.dpopChallenge
        }
        return response
    }
}

extension OAuthError {
    /// The HTTP status at an OAuth route. The standard uses 400 for all errors of the client, except failed client
    /// authentication.
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
