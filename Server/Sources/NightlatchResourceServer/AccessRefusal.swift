import HTTPTypes
import Hummingbird
import NightlatchTokenVerification
import NightlatchWire

/// The reason why a request was refused.
enum AccessRefusal: Error, Hashable, Sendable {
    /// The request has more than one `Authorization` header.
    case ambiguous
    /// The request has no access token.
    case noToken
    /// The token was sent as a bearer token, but requires a DPoP proof.
    case bearer
    case token(AccessTokenRefusal)
    case proof(DPoPRefusal)
    /// The relying party's keys are not available.
    case keysUnavailable

    /// The response, according to [RFC 6750, section 3](https://www.rfc-editor.org/rfc/rfc6750#section-3) and [RFC
    /// 9449, section 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1).
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
        case .token: "The access token is invalid or expired. Get a new one."
        case .proof(.nonceMissing), .proof(.nonceRefused):
            "The DPoP proof needs the nonce in this response. Make a new proof with it."
        case .proof: "The DPoP proof is missing or does not match the request. Make a new one."
        case .keysUnavailable: "Access tokens cannot be verified now. Try again later."
        }
    }
}
