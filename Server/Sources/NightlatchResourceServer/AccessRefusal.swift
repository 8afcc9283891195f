import HTTPTypes
import Hummingbird
import NightlatchTokenVerification
import NightlatchWire

/// Why a request was not let in.
enum AccessRefusal: Error, Hashable, Sendable {
    /// It says in two ways who calls.
    case ambiguous
    /// It does not say who calls.
    case noToken
    /// It brings a token as if whoever has it could use it. These tokens need a proof.
    case bearer
    case token(AccessTokenRefusal)
    case proof(DPoPRefusal)
    /// The relying party's keys could not be had.
    case keysUnavailable

    /// The answer, as [RFC 6750, section 3](https://www.rfc-editor.org/rfc/rfc6750#section-3) and
    /// [RFC 9449, section 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1) say.
    var response: Response {
        var headers: HTTPFields = [.contentType: Problem.contentType, .cacheControl: "no-store"]
        if status != .serviceUnavailable { headers[.wwwAuthenticate] = challenge }
        let problem = Problem(code, status: status.code, title: sentence)
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: StrictJSON.encode(problem))))
    }

    private var status: HTTPResponse.Status {
        switch self {
        case .ambiguous: .badRequest
        case .noToken, .bearer, .token, .proof: .unauthorized
        case .keysUnavailable: .serviceUnavailable
        }
    }

    private var code: ProblemCode {
        switch self {
        case .ambiguous: .malformedRequest
        case .noToken, .bearer, .token: .accessTokenRefused
        case .proof(.nonceMissing), .proof(.nonceRefused): .dpopNonceRequired
        case .proof: .dpopProofRefused
        case .keysUnavailable: .unavailable
        }
    }

    private var challenge: String {
        let error: String? =
            switch self {
            case .ambiguous: "invalid_request"
            case .bearer, .token: "invalid_token"
            case .proof(.nonceMissing), .proof(.nonceRefused): "use_dpop_nonce"
            case .proof: "invalid_dpop_proof"
            case .noToken, .keysUnavailable: nil
            }
        let algorithms = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: " ")
        return #"DPoP algs="\#(algorithms)""# + (error.map { #", error="\#($0)""# } ?? "")
    }

    private var sentence: String {
        switch self {
        case .ambiguous: "The request has more than one Authorization header."
        case .noToken: "The request has no access token."
        case .bearer: "The access token needs a proof: send it with the DPoP scheme."
        case .token: "The access token is not good. Get a new one."
        case .proof(.nonceMissing), .proof(.nonceRefused):
            "The DPoP proof needs the nonce of this answer. Make a new one with it."
        case .proof: "The DPoP proof is missing or does not fit the request. Make a new one."
        case .keysUnavailable: "Access tokens cannot be verified now. Try again later."
        }
    }
}
