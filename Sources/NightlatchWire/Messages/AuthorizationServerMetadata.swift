/// The capabilities of a relying party's OAuth routes, as it publishes them
/// ([RFC 8414, section 2](https://www.rfc-editor.org/rfc/rfc8414#section-2)).
public struct AuthorizationServerMetadata: Codable, Hashable, Sendable {
    public let issuer: Issuer
    public let tokenEndpoint: String
    public let revocationEndpoint: String
    public let introspectionEndpoint: String
    public let jwksURL: String
    public let grantTypes: [String]
    /// Empty: there is no login page to which users are redirected.
    public let responseTypes: [String]
    /// The methods by which a client authenticates at the token endpoint: `none`, since it has no credentials besides
    /// its proof.
    public let tokenEndpointAuthenticationMethods: [String]
    public let revocationEndpointAuthenticationMethods: [String]
    /// The backend sends its key as a bearer token.
    public let introspectionEndpointAuthenticationMethods: [String]
    /// The algorithms that DPoP proofs may use.
    public let dpopSigningAlgorithms: [SignatureAlgorithm]

    /// The capabilities of `issuer`, if it is a relying party of this version.
    public init(issuer: Issuer) {
        self.issuer = issuer
        tokenEndpoint = issuer.rawValue + Route.token.path
        revocationEndpoint = issuer.rawValue + Route.revokeToken.path
        introspectionEndpoint = issuer.rawValue + Route.introspectToken.path
        jwksURL = issuer.rawValue + Route.jwks.path
        grantTypes = TokenRequest.grantTypes
        responseTypes = []
        tokenEndpointAuthenticationMethods = ["none"]
        revocationEndpointAuthenticationMethods = ["none"]
        introspectionEndpointAuthenticationMethods = ["Bearer"]
        dpopSigningAlgorithms = SignatureAlgorithm.allCases
    }

    private enum CodingKeys: String, CodingKey {
        case issuer
        case tokenEndpoint = "token_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case introspectionEndpoint = "introspection_endpoint"
        case jwksURL = "jwks_uri"
        case grantTypes = "grant_types_supported"
        case responseTypes = "response_types_supported"
        case tokenEndpointAuthenticationMethods = "token_endpoint_auth_methods_supported"
        case revocationEndpointAuthenticationMethods = "revocation_endpoint_auth_methods_supported"
        case introspectionEndpointAuthenticationMethods = "introspection_endpoint_auth_methods_supported"
        case dpopSigningAlgorithms = "dpop_signing_alg_values_supported"
    }
}
