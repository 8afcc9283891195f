import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchTesting

/// An app with a journey and its tokens, over stores that remain when the app starts again.
struct TokenPhone: Sendable {
    let server = TokenServer()
    private let stores = Shared<[String: FaultyStore]>([:])
    private let time = Shared(Date(timeIntervalSince1970: 1_790_000_000))

    func wait(seconds: TimeInterval) { time.withLock { $0 += seconds } }

    /// The stores by their names.
    var allStores: [String: FaultyStore] { stores.withLock { $0 } }

    /// The store of the tokens.
    var tokenStore: FaultyStore? { allStores.first { $0.key.hasPrefix("journey-tokens-") }?.value }

    /// The store of the session.
    var sessionStore: FaultyStore? { allStores.first { $0.key.hasPrefix("journey-session-") }?.value }

    func journey(
        _ change: @escaping @Sendable (OidcClientConfig) -> Void = { _ in },
        storesNothing: Bool = false,
        sessions: (any Storage<SSOTokenImpl>)? = nil
    ) -> Journey {
        Journey.createJourney { config in
            config.serverUrl = "https://example.com/am"
            config.realm = "alpha"
            config.cookie = "386c0d288bac4b9"
            config.transport = server
            if !storesNothing { config.secureStore = { store($0) } }
            if let sessions { config.module(SessionModule.config) { $0.storage = sessions } }
            config.module(OidcModule.config) { oidc in
                oidc.clientId = "app"
                oidc.scopes = ["profile", "openid"]
                oidc.redirectUri = TokenServer.redirectUri
                oidc.discoveryEndpoint = "\(TokenServer.base)/.well-known/openid-configuration"
                oidc.now = { time.withLock { $0 } }
                change(oidc)
            }
        }
    }

    /// Logs in, and returns the user.
    func user(of journey: Journey) async throws -> any User {
        guard await journey.start("Login") is SuccessNode, let user = await journey.journeyUser() else {
            throw JourneyPhone.Unexpected()
        }
        return user
    }

    private func store(_ name: String) -> FaultyStore {
        stores.withLock { stores in
            if let known = stores[name] { return known }
            let new = FaultyStore(MemoryStore())
            stores[name] = new
            return new
        }
    }
}
