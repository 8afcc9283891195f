import Foundation
import Nightlatch

/// A server with journeys and tokens that answers every authorization request with one redirect.
actor RedirectingServer: HTTPTransport {
    static let issuer = "https://example.com/am/oauth2/alpha"
    static let redirectURI = "com.example.app:/oauth2redirect"

    private let query: String
    /// The last request for tokens.
    private(set) var tokenRequest: Data?

    init(query: String) {
        self.query = query
    }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let issuer = Self.issuer
        switch request.url.lastPathComponent {
        case "authorize":
            return HTTPTransportResponse(
                status: 302, headers: ["Location": "\(Self.redirectURI)?\(query)"], body: Data())
        case "access_token":
            tokenRequest = request.body
            return answer(#"{"access_token":"a","expires_in":60,"token_type":"Bearer"}"#)
        case "authenticate": return answer(#"{"tokenId":"t","successUrl":"/","realm":"/alpha"}"#)
        default:
            return answer(
                #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(issuer)/authorize","#
                    + #""token_endpoint":"\#(issuer)/access_token","userinfo_endpoint":"\#(issuer)/userinfo","#
                    + #""end_session_endpoint":"\#(issuer)/end","revocation_endpoint":"\#(issuer)/revoke","#
                    + #""authorization_response_iss_parameter_supported":true}"#)
        }
    }

    private func answer(_ text: String) -> HTTPTransportResponse {
        HTTPTransportResponse(status: 200, body: Data(text.utf8))
    }
}
