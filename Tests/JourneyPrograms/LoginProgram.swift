import Foundation
import NightlatchJourney
import NightlatchLogger

// Structure of the vendor's login sample: a journey with the OpenID Connect module, its options, and a resumed link.

func makeLoginJourney(_ complete: @escaping @Sendable (JourneyConfig) -> Void) -> Journey {
    Journey.createJourney { config in
        config.serverUrl = "https://openam.example.com/am"
        config.realm = "alpha"
        config.cookie = "386c0d288bac4b9"
        config.timeout = 20
        config.logger = LogManager.standard
        config.module(NightlatchJourney.OidcModule.config) { oidcValue in
            oidcValue.clientId = "sample-client"
            oidcValue.scopes = Set(["openid", "email", "profile"])
            oidcValue.redirectUri = "com.example.sample://oauth2redirect"
            oidcValue.discoveryEndpoint =
                "https://openam.example.com/am/oauth2/alpha/.well-known/openid-configuration"
            oidcValue.refreshThreshold = 30
            oidcValue.acrValues = "sample-acr"
            oidcValue.additionalParameters = ["customKey": "customValue"]
        }
        complete(config)
    }
}

func makeLabelledJourney() -> Journey {
    let block: @Sendable (JourneyConfig) -> Void = { config in
        config.serverUrl = "https://openam.example.com/am"
        config.module(SessionModule.config)
        config.module(OidcModule.config, priority: 5, mode: .ignore) { $0.clientId = "sample-client" }
        config.module(OidcModule.config, mode: .append)
    }
    return Journey.createJourney(block: block)
}

func makeEmptyJourney() -> Journey {
    Journey.createJourney()
}

func options(_ forced: Bool) -> Options {
    var options = Options()
    options.forceAuth = forced
    options.noSession = false
    return options
}

func startForced(_ journey: Journey) async -> Node {
    await journey.start("Login") { options in
        options.forceAuth = true
    }
}

func resume(_ journey: Journey, _ link: URL) async -> Node {
    await journey.resume(link) { options in
        options.noSession = true
    }
}
