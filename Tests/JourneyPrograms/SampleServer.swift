import Foundation
import Nightlatch
import NightlatchTesting

/// A server whose journeys succeed at once and whose users get tokens. Copies of the value share its state.
struct SampleServer: HTTPTransport {
    private let tokenCount = Shared(0)
    private let revocations = Shared<[String]>([])

    /// The bodies of the requests to revoke a token.
    var revoked: [String] { revocations.withLock { $0 } }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let base = "https://openam.example.com/am/oauth2/alpha"
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        switch request.url.lastPathComponent {
        case "authenticate":
            return answer(#"{"tokenId":"session","successUrl":"/enduser/","realm":"/alpha"}"#)
        case "sessions":
            return answer(#"{"result":"Successfully logged out"}"#)
        case "openid-configuration":
            return answer(
                #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/authorize","#
                    + #""token_endpoint":"\#(base)/access_token","userinfo_endpoint":"\#(base)/userinfo","#
                    + #""end_session_endpoint":"\#(base)/end","revocation_endpoint":"\#(base)/token/revoke"}"#)
        case "authorize":
            let state = query.first { $0.name == "state" }?.value ?? ""
            let target = "com.example.sample://oauth2redirect?code=code&state=\(state)"
            return HTTPTransportResponse(status: 302, headers: ["Location": target], body: Data())
        case "access_token":
            let number = tokenCount.withLock { count in
                count += 1
                return count
            }
            return answer(
                #"{"access_token":"access-\#(number)","refresh_token":"refresh-\#(number)","expires_in":3600,"#
                    + #""token_type":"Bearer"}"#)
        case "revoke":
            revocations.withLock { $0.append(String(decoding: request.body ?? Data(), as: UTF8.self)) }
            return answer("{}")
        case "userinfo":
            return answer(#"{"sub":"demo","email_verified":true}"#)
        default:
            return answer("{}")
        }
    }

    private func answer(_ body: String) -> HTTPTransportResponse {
        HTTPTransportResponse(status: 200, body: Data(body.utf8))
    }
}
