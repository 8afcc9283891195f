import NightlatchTokenVerification
package import NightlatchWire

/// The capabilities of the relying party for apps and devices
/// ([OpenID Connect Discovery, section
/// 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata),
/// [RFC 8414, section 2](https://www.rfc-editor.org/rfc/rfc8414#section-2)).
package struct OpenIDMetadata: Encodable, Hashable, Sendable {
    let issuer: Issuer
    /// The address that precedes each path.
    let base: String
    let paths: Paths

    /// The paths of the endpoints.
    package struct Paths: Hashable, Sendable {
        package let authorization: String
        package let token: String
        package let userInformation: String
        package let revocation: String
        package let introspection: String
        package let endSession: String
        package let pushedRequests: String
        package let backchannel: String
        /// The grant types of the token endpoint that serve devices, not apps.
        let deviceGrants: [String]

        /// Nightlatch's own paths.
        package static let own = Self(
            authorization: "/oauth/authorize", token: Route.token.path, userInformation: "/oauth/userinfo",
            revocation: Route.revokeToken.path, introspection: Route.introspectToken.path,
            endSession: "/oauth/end-session", pushedRequests: "/oauth/par",
            backchannel: "/oauth/bc-authorize",
            deviceGrants: [TokenRequest.loginGrantType])
        /// PingAM's paths, below a realm.
        package static let pingAM = Self(
            authorization: "/authorize", token: "/access_token", userInformation: "/userinfo",
            revocation: "/token/revoke", introspection: "/introspect", endSession: "/connect/endSession",
            pushedRequests: "/par", backchannel: "/bc-authorize", deviceGrants: [])
    }

    package init(issuer: Issuer, base: String, paths: Paths) {
        self.issuer = issuer
        self.base = base
        self.paths = paths
    }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        let algorithms = SignatureAlgorithm.allCases
        let authenticationMethods = ["none", "client_secret_basic", "private_key_jwt"]
        try members.add("authorization_endpoint", base + paths.authorization)
        try members.add("authorization_response_iss_parameter_supported", true)
        try members.add("backchannel_authentication_endpoint", base + paths.backchannel)
        try members.add("backchannel_token_delivery_modes_supported", ["poll"])
        try members.add("backchannel_user_code_parameter_supported", false)
        try members.add("claims_parameter_supported", false)
        try members.add("claims_supported", (IDTokenClaims.claims + UserInformation.claims).sorted())
        try members.add("code_challenge_methods_supported", ["S256"])
        try members.add("dpop_signing_alg_values_supported", algorithms)
        try members.add("end_session_endpoint", base + paths.endSession)
        try members.add(
            "grant_types_supported",
            ["authorization_code", "refresh_token", BackchannelRequests.grantType] + paths.deviceGrants)
        try members.add("id_token_signing_alg_values_supported", [SignatureAlgorithm.es256])
        try members.add("introspection_endpoint", base + paths.introspection)
        // A backend sends its key as a bearer token.
        try members.add(
            "introspection_endpoint_auth_methods_supported", authenticationMethods.dropFirst() + ["Bearer"])
        try members.add("issuer", issuer)
        try members.add("jwks_uri", issuer.rawValue + Route.jwks.path)
        try members.add("pushed_authorization_request_endpoint", base + paths.pushedRequests)
        try members.add("request_parameter_supported", false)
        try members.add("request_uri_parameter_supported", false)
        try members.add("response_modes_supported", ["query", "form_post"])
        try members.add("response_types_supported", ["code"])
        try members.add("revocation_endpoint", base + paths.revocation)
        try members.add("revocation_endpoint_auth_methods_supported", authenticationMethods)
        try members.add("scopes_supported", AppScope.standard)
        try members.add("subject_types_supported", ["public"])
        try members.add("token_endpoint", base + paths.token)
        try members.add("token_endpoint_auth_methods_supported", authenticationMethods)
        try members.add("token_endpoint_auth_signing_alg_values_supported", algorithms)
        try members.add("userinfo_endpoint", base + paths.userInformation)
    }
}
