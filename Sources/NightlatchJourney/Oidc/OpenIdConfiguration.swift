internal import Foundation
internal import NightlatchWire

/// The endpoints of an authorization server, from its discovery document
/// ([OpenID Connect Discovery 1.0, section 3](https://openid.net/specs/openid-connect-discovery-1_0.html)).
public struct OpenIdConfiguration: Hashable, Sendable {
    /// The server's name: `iss` of its ID tokens and of its answers. Nil if it is not known, and then not checked.
    public let issuer: String?
    public let authorizationEndpoint: String
    public let tokenEndpoint: String
    public let userinfoEndpoint: String
    public let endSessionEndpoint: String
    public let revocationEndpoint: String
    /// Whether every answer of the authorization endpoint contains `iss`
    /// ([RFC 9207](https://www.rfc-editor.org/rfc/rfc9207)).
    let namesIssuer: Bool?

    public init(
        authorizationEndpoint: String,
        tokenEndpoint: String,
        userinfoEndpoint: String,
        endSessionEndpoint: String,
        revocationEndpoint: String,
        issuer: String? = nil
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.userinfoEndpoint = userinfoEndpoint
        self.endSessionEndpoint = endSessionEndpoint
        self.revocationEndpoint = revocationEndpoint
        namesIssuer = nil
    }

    /// Reads a discovery document. Returns nil if a required member is missing, or if an endpoint is not safe.
    ///
    /// The issuer is not compared with the document's address, because PingAM serves the same document at several
    /// addresses. The app has chosen the address, and TLS authenticates its server.
    init?(_ document: JSONObject) {
        func endpoint(_ name: String) -> String? {
            document[name]?.string.flatMap { SafeURL($0) == nil ? nil : $0 }
        }
        guard let issuer = document["issuer"]?.string, SafeURL(issuer) != nil,
            let authorization = endpoint("authorization_endpoint"), let token = endpoint("token_endpoint"),
            let userinfo = endpoint("userinfo_endpoint"), let endSession = endpoint("end_session_endpoint"),
            let revocation = endpoint("revocation_endpoint")
        else { return nil }
        self.issuer = issuer
        authorizationEndpoint = authorization
        tokenEndpoint = token
        userinfoEndpoint = userinfo
        endSessionEndpoint = endSession
        revocationEndpoint = revocation
        namesIssuer = document["authorization_response_iss_parameter_supported"]?.bool
    }
}
