import HTTPTypes
package import NightlatchRelyingParty
import NightlatchTokenVerification
import NightlatchWire

extension RefusalAnswer {
    /// Creates the answer to a refusal by a rule of the relying party.
    package init(_ refusal: Refusal) {
        (status, word) =
            switch refusal {
            case .malformed, .expiryRefused, .blindedElementRefused: (.badRequest, .invalidRequest)
            case .challengeRefused, .challengeExpired, .refreshTokenRefused: (.badRequest, .invalidGrant)
            case .backendKeyRefused, .deviceRevoked, .deviceReplaced, .deviceBlocked: (.unauthorized, .invalidClient)
            case .accessTokenRefused: (.unauthorized, .invalidGrant)
            case .dpopProofRefused: (.unauthorized, .invalidDPoPProof)
            case .dpopNonceRequired: (.unauthorized, .useDPoPNonce)
            // A 401 answer must have a `WWW-Authenticate` header. No scheme fits these refusals, so they get 403.
            case .enrolmentCodeRefused, .credentialsRefused, .messageRefused, .localPinRefused:
                (.forbidden, .invalidGrant)
            case .enrolmentCodeRequired: (.forbidden, .invalidRequest)
            case .notFound: (.notFound, .invalidRequest)
            case .challengeUsed, .deviceKeyTaken, .tooManyDevices, .pinNotEnrolled: (.conflict, .invalidGrant)
            // These never occur at an OAuth route.
            case .blockedByOperator, .transactionIDTaken, .addresseeUnknown, .tooManyTransactions,
                .transactionChanged, .transactionConfirmed, .transactionRejected, .transactionExpired,
                .transactionVoided, .messageExpired, .pinDestroyed, .pinEpochPassed, .pinWindowPassed,
                .pinGuessUnknown, .pinCandidateOpen:
                (.conflict, .invalidRequest)
            case .rateLimited: (.tooManyRequests, .temporarilyUnavailable)
            case .overloaded: (.serviceUnavailable, .temporarilyUnavailable)
            case .store(let error) where error.kind.mayPass: (.serviceUnavailable, .temporarilyUnavailable)
            case .store, .internalError: (.internalServerError, .serverError)
            }
        sentence = Self.sentence(of: refusal)
        code = refusal.code
        detail = refusal.detail
        pinStanding = refusal.pinStanding
        issuedAt = refusal.issuedAt
        authenticationChallenge = Self.authenticationChallenge(of: refusal)
        retryAfter = Self.retryAfter(of: refusal)
    }

    /// Creates the answer to a refusal by a rule of HTTP.
    package init(_ refusal: HTTPRefusal) {
        switch refusal {
        case .methodNotAllowed(let allowed):
            self.init(
                code: .methodNotAllowed, status: .methodNotAllowed, word: .invalidRequest,
                sentence: "This route has other methods.", allowedMethods: allowed)
        case .unsupportedMediaType:
            self.init(
                code: .unsupportedMediaType, status: .unsupportedMediaType, word: .invalidRequest,
                sentence: "The body is not of the media type that this route reads.")
        case .bodyTooLarge:
            self.init(
                code: .bodyTooLarge, status: .contentTooLarge, word: .invalidRequest,
                sentence: "The body is larger than this route reads.")
        }
    }

    /// Returns a sentence for people.
    private static func sentence(of refusal: Refusal) -> String {
        switch refusal {
        case .malformed: "The request is not of the form that this route demands."
        case .notFound: "There is nothing here that the caller may see."
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

    private static func authenticationChallenge(of refusal: Refusal) -> String? {
        switch refusal {
        case .backendKeyRefused: "Bearer"
        case .accessTokenRefused(.missing): dpopChallenge
        case .accessTokenRefused, .deviceRevoked, .deviceReplaced, .deviceBlocked:
            dpopChallenge + #", error="invalid_token""#
        case .dpopProofRefused: dpopChallenge + #", error="invalid_dpop_proof""#
        case .dpopNonceRequired: dpopChallenge + #", error="use_dpop_nonce""#
        default: nil
        }
    }

    private static func retryAfter(of refusal: Refusal) -> String? {
        guard case .rateLimited(let wait) = refusal else { return refusal.code == .unavailable ? "1" : nil }
        return String(wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0))
    }
}
