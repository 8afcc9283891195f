import Foundation
import NightlatchJourney

// Structure of the vendor's sample with two journeys: each has storages of its own.

actor CountingStorage<Item: Codable & Sendable>: Storage {
    private var item: Item?
    private(set) var writes = 0

    func save(item: Item) async throws {
        self.item = item
        writes += 1
    }

    func get() async throws -> Item? { item }

    func delete() async throws { item = nil }
}

func makeJourneys(
    _ first: CountingStorage<Token>,
    _ second: CountingStorage<SSOTokenImpl>,
    _ complete: @escaping @Sendable (JourneyConfig) -> Void
) -> [Journey] {
    let one = makeLoginJourney { config in
        complete(config)
        config.module(OidcModule.config) { oidc in
            oidc.clientId = "sample-client"
            oidc.scopes = ["openid"]
            oidc.redirectUri = "com.example.sample://oauth2redirect"
            oidc.discoveryEndpoint = "https://openam.example.com/am/oauth2/alpha/.well-known/openid-configuration"
            oidc.storage = first
        }
    }
    let two = makeLoginJourney { config in
        complete(config)
        config.module(SessionModule.config) { session in
            session.storage = second
        }
    }
    return [one, two]
}
