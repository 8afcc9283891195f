import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// Admits backends and operators' programs, which send a key as a bearer token
/// ([RFC 6750, section 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)): the backend key of the server's
/// settings, or the token of an API key.
///
/// A request without a right key counts against the limit of its address. A request with a right key does not count,
/// except at routes where that limit applies to every request. The answer to an API key that is unknown, revoked or
/// expired, or whose secret is wrong, is the same as that to no key.
///
/// An API key is read from the store for each request and never cached. So a key that was revoked at one process is
/// refused by all others at the next request. ``TokenLookups`` limits these reads.
struct BackendAccess {
    let key: BackendKey
    let keys: any APIKeyStore
    /// The address limit for requests without a right key; nil for routes to which that limit already applies.
    let addressLimit: AddressLimit?
    /// The limit of reads; nil together with ``addressLimit``.
    private let lookups: TokenLookups?

    init(key: BackendKey, keys: any APIKeyStore, addressLimit: AddressLimit?) {
        self.key = key
        self.keys = keys
        self.addressLimit = addressLimit
        lookups = addressLimit.map { TokenLookups($0) }
    }

    /// Admits the app's backend.
    ///
    /// - Parameter scope: The scope that an API key must have. The backend key has all scopes of backends.
    /// - Returns: The party that acts, for the audit log.
    /// - Throws: ``Refusal`` `backendKeyRefused`, `apiKeyScopeMissing`, `rateLimited`, or `store` if the store does not
    ///   answer.
    @discardableResult
    func admit(
        _ request: Request, _ context: RelyingPartyRequestContext, for scope: APIScope
    ) async throws(Refusal) -> ActingParty {
        let (key, scopes) = try await admitted(request, context)
        guard scopes.contains(scope) else { throw .apiKeyScopeMissing }
        return ActingParty(.backend, key: key?.id, name: key?.name)
    }

    /// Admits an operator's program, which must have an API key. Otherwise as ``admit(_:_:for:)``.
    func admitOperator(
        _ request: Request, _ context: RelyingPartyRequestContext, for scope: APIScope
    ) async throws(Refusal) -> (party: ActingParty, scopes: Set<APIScope>) {
        let (key, scopes) = try await admitted(request, context)
        guard let key, scopes.contains(scope) else { throw .apiKeyScopeMissing }
        return (ActingParty(.operator, key: key.id, name: key.name), scopes)
    }

    /// Returns the API key of a request and its scopes; nil and the scopes of backends for the backend key.
    private func admitted(
        _ request: Request, _ context: RelyingPartyRequestContext
    ) async throws(Refusal) -> (key: APIKey?, scopes: Set<APIScope>) {
        if let credentials = request.credentials(scheme: "Bearer") {
            if ConstantTime.isEqual(credentials, key.rawValue) { return (nil, APIScope.ofBackendKey) }
            if let token = APIToken(rawValue: credentials) {
                try lookups?.begin(token, request, context)
                let stored: StoredAPIKey?
                do throws(RelyingPartyStoreError) {
                    stored = try await keys.apiKey(token.keyID)
                } catch {
                    lookups?.noteFailure(of: token, request, context)
                    throw .store(error)
                }
                let isRight = stored?.accepts(token) == true
                lookups?.note(token, isRight: isRight)
                if isRight, let stored { return (stored.key, stored.key.scopes) }
            }
        }
        try addressLimit?.enter(request, context)
        throw .backendKeyRefused
    }
}
