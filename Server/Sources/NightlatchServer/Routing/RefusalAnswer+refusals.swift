import HTTPTypes
package import NightlatchRelyingParty
import NightlatchTokenVerification
import NightlatchWire

extension RefusalAnswer {
    /// Creates the answer to a refusal by a rule of the relying party.
    package init(_ refusal: Refusal) {
        let (status, word): (HTTPResponse.Status, OAuthError.Word) =
            switch refusal {
            case .malformed, .expiryRefused, .blindedElementRefused: (.badRequest, .invalidRequest)
            case .challengeRefused, .challengeExpired, .refreshTokenRefused: (.badRequest, .invalidGrant)
            case .backendKeyRefused, .deviceRevoked, .deviceReplaced, .deviceBlocked: (.unauthorized, .invalidClient)
            case .appUnknown: (.badRequest, .invalidClient)
            case .appAuthenticationRefused: (.unauthorized, .invalidClient)
            case .redirectURIRefused: (.badRequest, .invalidRequest)
            case .authorizationRefused(let word, _): (.badRequest, word)
            case .codeRefused: (.badRequest, .invalidGrant)
            case .scopeInsufficient, .apiKeyScopeMissing: (.forbidden, .insufficientScope)
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
            case .blockedByOperator, .transactionIDTaken, .addresseeUnknown, .tooManyTransactions, .appChanged,
                .tooManyApps, .apiKeyNameTaken, .tooManyAPIKeys, .deviceEnded, .policyChanged,
                .transactionChanged, .transactionConfirmed, .transactionRejected, .transactionExpired,
                .transactionVoided, .remoteLoginChanged, .remoteLoginEnded, .messageExpired, .pinDestroyed,
                .pinEpochPassed, .pinWindowPassed,
                .pinGuessUnknown, .pinCandidateOpen:
                (.conflict, .invalidRequest)
            // The status tells a client that does not know the code of a wait to keep everything and to try later.
            case .rateLimited, .pinWaiting: (.tooManyRequests, .temporarilyUnavailable)
            case .overloaded: (.serviceUnavailable, .temporarilyUnavailable)
            case .store(let error) where error.kind.mayPass: (.serviceUnavailable, .temporarilyUnavailable)
            case .store, .internalError: (.internalServerError, .serverError)
            }
        self.init(
            code: refusal.code, status: status, word: word, sentence: Self.sentence(of: refusal),
            detail: refusal.detail, pinStanding: refusal.pinStanding, issuedAt: refusal.issuedAt,
            authenticationChallenge: Self.authenticationChallenge(of: refusal), retryAfter: Self.retryAfter(of: refusal)
        )
    }

    /// Creates the answer to a refusal by a rule of HTTP.
    package init(_ refusal: HTTPRefusal) {
        switch refusal {
        case .methodNotAllowed(let allowed):
            self.init(
                code: .methodNotAllowed, status: .methodNotAllowed, word: .invalidRequest,
                sentence: "This route does not support this method.", allowedMethods: allowed)
        case .unsupportedMediaType:
            self.init(
                code: .unsupportedMediaType, status: .unsupportedMediaType, word: .invalidRequest,
                sentence: "The body does not have the media type that this route requires.")
        case .bodyTooLarge:
            self.init(
                code: .bodyTooLarge, status: .contentTooLarge, word: .invalidRequest,
                sentence: "The body is too large for this route.")
        }
    }

    /// Returns a sentence for people.
    private static func sentence(of refusal: Refusal) -> String {
        switch refusal {
        case .malformed: "The request does not have the format that this route requires."
        case .notFound: "Not found, or not visible to the caller."
        case .backendKeyRefused: "The backend key or API key is missing, wrong, expired or revoked."
        case .appUnknown: "No app is registered with this client id."
        case .appAuthenticationRefused: "The app's credentials are missing or wrong."
        case .redirectURIRefused: "The app has not registered this redirect URI."
        case .authorizationRefused: "The authorization request was refused."
        case .scopeInsufficient: "The access token needs the scope openid."
        case .codeRefused: "The code or request is invalid, expired or used, or belongs to another request."
        case .enrolmentCodeRefused: "The enrolment code is not valid. Get a new one."
        case .credentialsRefused: "The user or the password is wrong, or there were too many failed attempts recently."
        case .challengeRefused: "The challenge is not from this relying party, or is for another purpose. Begin again."
        case .challengeExpired: "The challenge is expired. Begin again."
        case .challengeUsed: "The challenge was used already. Begin again."
        case .messageRefused: "The signed message was refused. If this persists, bind the device again."
        case .deviceKeyTaken: "The key is already bound, to another user or by another app. Make a new key."
        case .tooManyDevices: "The user has the maximum number of devices. Revoke one, then bind again."
        case .deviceRevoked: "The device was revoked. Bind it again with a new key."
        case .deviceReplaced: "Another device of the user replaced this one. Bind it again with a new key."
        case .deviceBlocked: "The device is blocked. Keep its keys, and contact the operator."
        case .blockedByOperator: "An operator has blocked the device. Only an operator can unblock it."
        case .accessTokenRefused: "The access token is missing, invalid or expired. Get a new one."
        case .refreshTokenRefused: "The refresh token is invalid or expired. Log in again."
        case .dpopProofRefused: "The DPoP proof is missing or does not match the request. Make a new one."
        case .dpopNonceRequired: "The DPoP proof needs the nonce in this response. Make a new proof with it."
        case .rateLimited: "There were too many requests. Wait, then try again."
        case .overloaded: "The relying party is overloaded. Try again later."
        case .transactionIDTaken: "Another transaction already has this id."
        case .addresseeUnknown: "The user is unknown, or has no such device."
        case .appChanged: "The app's id is not new, or the app was changed or removed since it was read. Read it again."
        case .tooManyApps: "The maximum number of apps is registered. Remove one."
        case .apiKeyScopeMissing: "The key is valid, but it has too few scopes, or too short a life, for this request."
        case .apiKeyNameTaken: "An API key that is not revoked has this name. Choose another one."
        case .tooManyAPIKeys: "The maximum number of API keys exists. Revoke one."
        case .deviceEnded: "The device was revoked or replaced, which cannot be undone."
        case .policyChanged: "The policy was changed since it was read. Read it again."
        case .tooManyTransactions: "The user has too many pending transactions."
        case .expiryRefused: "The expiry is in the past, or too far in the future."
        case .transactionChanged: "The signed details differ from the transaction. Show the transaction again."
        case .transactionConfirmed: "The transaction was already confirmed."
        case .transactionRejected: "The transaction was already rejected."
        case .transactionExpired: "The transaction expired before it was decided."
        case .transactionVoided: "The transaction was voided."
        case .remoteLoginChanged: "The signed details differ from the remote login. Show the login again."
        case .remoteLoginEnded: "The remote login was decided before, has expired, or was claimed by another user."
        case .messageExpired: "The message is expired or not valid yet by the time in this answer. Sign it again."
        case .blindedElementRefused: "The blinded element is not a point on the curve."
        case .enrolmentCodeRequired: "Opening an epoch now requires an enrolment code."
        case .pinNotEnrolled: "The device has no two-party PIN."
        case .pinDestroyed: "All guesses are used up, and the server's part of the PIN is destroyed."
        case .pinWaiting: "Too many guesses were wrong. Wait, then try again."
        case .pinEpochPassed: "This message is not allowed for this epoch."
        case .pinWindowPassed: "The count of guesses was cleared. Sign again with the window in this answer."
        case .pinGuessUnknown: "The guess is unknown."
        case .localPinRefused: "The PIN was checked on the device alone. Open the vault with a two-party PIN."
        case .pinCandidateOpen: "The device has an open candidate. Only the device can abandon it."
        case .store(let error) where error.kind.mayPass: "The relying party is unavailable. Try again later."
        case .store, .internalError: "The relying party had an internal error. Its log has the request id."
        }
    }

    private static func authenticationChallenge(of refusal: Refusal) -> String? {
        switch refusal {
        case .backendKeyRefused: "Bearer"
        case .appAuthenticationRefused: #"Basic realm="nightlatch""#
        case .accessTokenRefused(.missing): dpopChallenge
        case .accessTokenRefused, .deviceRevoked, .deviceReplaced, .deviceBlocked:
            dpopChallenge + #", error="invalid_token""#
        case .dpopProofRefused: dpopChallenge + #", error="invalid_dpop_proof""#
        case .dpopNonceRequired: dpopChallenge + #", error="use_dpop_nonce""#
        default: nil
        }
    }

    private static func retryAfter(of refusal: Refusal) -> String? {
        switch refusal {
        case .rateLimited(let wait): String(wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0))
        case .pinWaiting(let standing): standing.wait.map { String($0.seconds) }
        default: refusal.code == .unavailable ? "1" : nil
        }
    }
}
