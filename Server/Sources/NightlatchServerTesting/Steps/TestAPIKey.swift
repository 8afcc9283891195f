package import NightlatchRelyingParty
package import NightlatchWire
import Testing

/// API keys for tests.
package enum TestAPIKey {
    package static func new(
        _ name: String, scopes: Set<APIScope> = [.usersRead], expiresAt: NumericDate? = nil, token: APIToken? = nil
    ) throws -> NewAPIKey {
        let token = token ?? .random(for: .random())
        return NewAPIKey(
            id: token.keyID, name: try #require(APIKeyName(rawValue: name)), scopes: scopes, expiresAt: expiresAt,
            hash: token.hash)
    }

    /// Creates a key, and returns its token.
    package static func created(
        _ name: String, scopes: Set<APIScope> = [.usersRead], expiresAt: NumericDate? = nil,
        in store: any RelyingPartyStore
    ) async throws -> APIToken {
        let token = APIToken.random(for: .random())
        let new = try new(name, scopes: scopes, expiresAt: expiresAt, token: token)
        let outcome = try await store.createAPIKey(new, by: .operator)
        guard case .created = outcome else { throw StepFailed(outcome: "\(outcome)") }
        return token
    }
}
