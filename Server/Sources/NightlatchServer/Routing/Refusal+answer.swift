package import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchTokenVerification
import NightlatchWire

extension Refusal {
    /// The HTTP status at Nightlatch's own routes.
    package var status: HTTPResponse.Status {
        switch self {
        case .signed(let refusal, _): refusal.status
        case .malformed, .challengeRefused, .challengeExpired, .refreshTokenRefused, .expiryRefused,
            .blindedElementRefused:
            .badRequest
        // A 401 answer must have a challenge header. No scheme fits these, so they get 403.
        case .enrolmentCodeRefused, .enrolmentCodeRequired, .credentialsRefused, .messageRefused,
            .localPinRefused:
            .forbidden
        case .backendKeyRefused, .deviceRevoked, .deviceReplaced, .deviceBlocked, .accessTokenRefused,
            .dpopProofRefused,
            .dpopNonceRequired:
            .unauthorized
        case .notFound: .notFound
        case .challengeUsed, .deviceKeyTaken, .tooManyDevices, .blockedByOperator, .transactionIDTaken,
            .addresseeUnknown,
            .tooManyTransactions, .transactionChanged, .transactionConfirmed, .transactionRejected, .transactionExpired,
            .transactionVoided, .messageExpired, .pinNotEnrolled, .pinDestroyed, .pinEpochPassed, .pinWindowPassed,
            .pinGuessUnknown, .pinCandidateOpen:
            .conflict
        case .methodNotAllowed: .methodNotAllowed
        case .unsupportedMediaType: .unsupportedMediaType
        case .bodyTooLarge: .contentTooLarge
        case .rateLimited: .tooManyRequests
        case .overloaded: .serviceUnavailable
        case .store(let error): error.kind.mayPass ? .serviceUnavailable : .internalServerError
        case .internalError: .internalServerError
        }
    }

    /// A sentence for people.
    package var sentence: String {
        switch self {
        case .signed(let refusal, _): refusal.sentence
        case .malformed: "The request is not of the form that this route demands."
        case .notFound: "There is nothing here that the caller may see."
        case .methodNotAllowed: "This route has other methods."
        case .unsupportedMediaType: "The body is not of the media type that this route reads."
        case .bodyTooLarge: "The body is larger than this route reads."
        case .backendKeyRefused: "The backend key is missing or wrong."
        case .enrolmentCodeRefused: "The enrolment code cannot be used. Ask for a new one."
        case .credentialsRefused: "The user or the password is wrong, or there were too many wrong ones of late."
        case .challengeRefused: "The challenge is not one of this relying party for this purpose."
        case .challengeExpired: "The challenge is too old. Begin again."
        case .challengeUsed: "The challenge has served already. Begin again."
        case .messageRefused: "The signed message was refused. Bind the device again if it stays."
        case .deviceKeyTaken: "The key is bound already, to another user or by another app. Make a new one."
        case .tooManyDevices: "The user has as many devices as a user may have. Revoke one, then bind again."
        case .deviceRevoked: "The device was revoked. Bind it again with a new key."
        case .deviceReplaced: "Another device of the user has taken this one's place. Bind it again with a new key."
        case .deviceBlocked: "The device is blocked. Keep its keys, and ask who runs the service."
        case .blockedByOperator: "An operator has blocked the device, and only an operator unblocks it."
        case .accessTokenRefused: "The access token is missing or not good. Get a new one."
        case .refreshTokenRefused: "The refresh token is not good. Log in again."
        case .dpopProofRefused: "The DPoP proof is missing or does not fit the request. Make a new one."
        case .dpopNonceRequired: "The DPoP proof needs the nonce of this answer. Make a new one with it."
        case .rateLimited: "There were too many requests. Wait, then ask again."
        case .overloaded: "The relying party has too much to do. Try again later."
        case .transactionIDTaken: "There is another transaction of this id."
        case .addresseeUnknown: "There is no such user, or no such device of that user."
        case .tooManyTransactions: "As many transactions of the user are pending as may be."
        case .expiryRefused: "The transaction would be expired already, or live too long."
        case .transactionChanged: "What was signed is not what the transaction says. Show the transaction anew."
        case .transactionConfirmed: "The transaction was confirmed before."
        case .transactionRejected: "The transaction was rejected before."
        case .transactionExpired: "The transaction was not decided in time."
        case .transactionVoided: "The transaction was taken back."
        case .messageExpired: "The message is not alive by the clock of this answer. Sign it anew."
        case .blindedElementRefused: "The blinded element is no point of the curve."
        case .enrolmentCodeRequired: "The device's key alone opens no epoch any more. Bring an enrolment code."
        case .pinNotEnrolled: "The device has no two-party PIN."
        case .pinDestroyed: "All guesses were used up. The PIN opens nothing any more."
        case .pinEpochPassed: "The epoch is not one that this message may be about."
        case .pinWindowPassed: "The count was cleared since. Sign anew with the window of this answer."
        case .pinGuessUnknown: "There is no such guess."
        case .localPinRefused: "The vault was opened by a PIN on the device alone. Open it with a two-party PIN."
        case .pinCandidateOpen: "The device's key has opened a candidate, and only it gives it up."
        case .store(let error) where error.kind.mayPass: "The relying party cannot serve now. Try again later."
        case .store, .internalError: "The relying party failed. Its log has the request id."
        }
    }

    /// The `WWW-Authenticate` challenge
    /// ([RFC 9110, section 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1)). Every refusal with status
    /// 401 has one.
    var authenticationChallenge: String? {
        switch self {
        case .signed(let refusal, _): refusal.authenticationChallenge
        case .backendKeyRefused: "Bearer"
        case .accessTokenRefused(.missing): Self.dpopChallenge
        case .accessTokenRefused, .deviceRevoked, .deviceReplaced, .deviceBlocked:
            Self.dpopChallenge + #", error="invalid_token""#
        case .dpopProofRefused: Self.dpopChallenge + #", error="invalid_dpop_proof""#
        case .dpopNonceRequired: Self.dpopChallenge + #", error="use_dpop_nonce""#
        default: nil
        }
    }

    /// The challenge of [RFC 9449, section 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1), without an error.
    static let dpopChallenge =
        #"DPoP algs="\#(SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: " "))""#

    /// The `Retry-After` value, in whole seconds
    /// ([RFC 9110, section 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)). It is exact for a rate
    /// limit, and an estimate for a temporary error.
    package var retryAfter: String? {
        guard case .rateLimited(let wait) = self else { return code == .unavailable ? "1" : nil }
        return String(wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0))
    }

    /// The problem document of Nightlatch's own routes.
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
        if case .signed(_, let signature) = self { response.headers[.pinAnswer] = signature }
        if case .methodNotAllowed(let allowed) = self { response.headers[.allow] = allowed }
        return response
    }
}
