import Foundation
import Nightlatch

/// A server that asks for a name and a password, then sends one device callback, then reports success.
struct ProgramServer: HTTPTransport {
    let callback: String

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let body = String(decoding: request.body ?? Data(), as: UTF8.self)
        if body == "{}" { return ask("1", [Self.name, Self.password]) }
        if body.contains(#""authId":"1""#) { return ask("2", [callback]) }
        return HTTPTransportResponse(
            status: 200, body: Data(#"{"tokenId":"token","successUrl":"/","realm":"/alpha"}"#.utf8))
    }

    private func ask(_ authID: String, _ callbacks: [String]) -> HTTPTransportResponse {
        let body = #"{"authId":"\#(authID)","callbacks":[\#(callbacks.joined(separator: ","))]}"#
        return HTTPTransportResponse(status: 200, body: Data(body.utf8))
    }

    private static let name =
        #"{"type":"NameCallback","output":[{"name":"prompt","value":"User Name"}],"input":[{"name":"IDToken1","value":""}]}"#
    private static let password =
        #"{"type":"PasswordCallback","output":[{"name":"prompt","value":"Password"}],"input":[{"name":"IDToken2","value":""}]}"#

    static func binding(_ type: String, user: String = "demo") -> ProgramServer {
        ProgramServer(
            callback: #"{"type":"DeviceBindingCallback","output":[{"name":"userId","value":"id=\#(user)"},"#
                + #"{"name":"username","value":"\#(user)"},{"name":"authenticationType","value":"\#(type)"},"#
                + #"{"name":"challenge","value":"AZrz80IwNkYoXMcmlEBZa29mRwwsGI/PkJb6xLRAZVo="},"#
                + #"{"name":"title","value":"Title"},{"name":"subtitle","value":"Subtitle"},"#
                + #"{"name":"description","value":"Description"},{"name":"timeout","value":60}],"#
                + #""input":[{"name":"IDToken1jws","value":""},{"name":"IDToken1deviceName","value":""},"#
                + #"{"name":"IDToken1deviceId","value":""},{"name":"IDToken1clientError","value":""}]}"#)
    }

    static func signing(user: String) -> ProgramServer {
        ProgramServer(
            callback: #"{"type":"DeviceSigningVerifierCallback","output":[{"name":"userId","value":"\#(user)"},"#
                + #"{"name":"challenge","value":"challenge"},{"name":"title","value":"Title"},"#
                + #"{"name":"subtitle","value":"Subtitle"},{"name":"description","value":"Description"},"#
                + #"{"name":"timeout","value":60}],"#
                + #""input":[{"name":"IDToken1jws","value":""},{"name":"IDToken1clientError","value":""}]}"#)
    }
}
