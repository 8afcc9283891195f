package import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Apps that tests register.
package enum TestApp {
    /// A public app with one redirect URI.
    package static func new(_ id: String) throws -> App {
        App(
            id: try #require(ClientID(rawValue: id)), name: try #require(AppName(rawValue: "The app")),
            redirectURIs: [try uri("https://app.example/callback")])
    }

    /// An app in which no member has its default value.
    package static func full(_ id: String) throws -> App {
        var app = try new(id)
        app.name = try #require(AppName(rawValue: "Ärzte & “Söhne” \u{1F511}"))
        app.authentication = .secret(Fixture.hash())
        app.redirectURIs += [try uri("com.example.app:/callback"), try uri("http://127.0.0.1/callback?a=1")]
        app.logoutURIs = [try uri("https://app.example/goodbye")]
        app.scopes = [.openID, try #require(AppScope(rawValue: "https://api.example/read"))]
        app.tokenKind = .dpop
        app.bindsDevices = true
        app.accessTokenLife = .seconds(60)
        app.refreshTokenLife = nil
        app.devicePolicy = .one
        return app
    }

    package static func uri(_ text: String) throws -> RedirectURI { try #require(RedirectURI(rawValue: text)) }
}
