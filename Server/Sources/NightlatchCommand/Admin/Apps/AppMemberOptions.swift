import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty

/// The options that set members of an app. They have the members' names in JSON.
struct AppMemberOptions: ParsableArguments {
    @Option(help: "How the app authenticates at the token endpoint: none, client_secret_basic or private_key_jwt.")
    var tokenEndpointAuthMethod: String?

    @Flag(help: "As --token-endpoint-auth-method client_secret_basic, and print a new secret.")
    var secret = false

    @Option(help: "A file with the app's public keys as a JWK set, for private_key_jwt.")
    var jwks: String?

    @Option(
        parsing: .upToNextOption,
        help: "The addresses that authorization requests may name. They replace all earlier ones.")
    var redirectUris: [String] = []

    @Option(
        parsing: .upToNextOption, help: "The addresses that a logout may name. They replace all earlier ones.")
    var postLogoutRedirectUris: [String] = []

    @Option(help: "The scopes that the app may have, separated by spaces. They replace all earlier ones.")
    var scope: String?

    @Flag(inversion: .prefixedNo, help: "Whether tokens are bound to a key by DPoP.")
    var dpopBoundAccessTokens: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether devices may use the id as the issuer of their messages.")
    var bindsDevices: Bool?

    @Option(help: "The lifetime of access tokens and ID tokens.")
    var accessTokenSeconds: String?

    @Option(help: "The lifetime of an unused refresh token; 0 for none.")
    var refreshTokenSeconds: String?

    @Option(help: "The effect of a new binding through the app: many or one; empty for the server's policy.")
    var devicePolicy: String?

    /// The members as texts. An option that is not given changes nothing.
    func texts(name: String?) throws(CommandFailure) -> AppTexts {
        var texts = AppTexts()
        texts.name = name
        texts.method = try method()
        texts.keys = try jwks.map { path throws(CommandFailure) in try Self.content(of: path) }
        if !redirectUris.isEmpty { texts.redirectURIs = redirectUris.filter { !$0.isEmpty } }
        if !postLogoutRedirectUris.isEmpty { texts.logoutURIs = postLogoutRedirectUris.filter { !$0.isEmpty } }
        texts.scope = scope
        texts.isDPoPBound = dpopBoundAccessTokens
        texts.bindsDevices = bindsDevices
        texts.accessTokenSeconds = accessTokenSeconds
        texts.refreshTokenSeconds = refreshTokenSeconds
        texts.devicePolicy = devicePolicy
        return texts
    }

    private func method() throws(CommandFailure) -> AppAuthentication.Method? {
        if secret {
            guard tokenEndpointAuthMethod == nil || tokenEndpointAuthMethod == AppAuthentication.Method.secret.rawValue
            else {
                throw CommandFailure(.usage, "--secret is only for apps that authenticate with client_secret_basic.")
            }
            return .secret
        }
        guard let tokenEndpointAuthMethod else { return jwks == nil ? nil : .privateKey }
        guard let method = AppAuthentication.Method(rawValue: tokenEndpointAuthMethod) else {
            let names = AppAuthentication.Method.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.usage, "--token-endpoint-auth-method must be one of \(names).")
        }
        return method
    }

    private static func content(of path: String) throws(CommandFailure) -> String {
        guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
        else { throw CommandFailure(.usage, "“\(path)” cannot be read as text.") }
        return text
    }
}

extension AppTexts {
    /// Returns `app` with the members of these texts, or the failure of a command.
    func changing(_ app: App) throws(CommandFailure) -> App {
        do {
            return try applied(to: app)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
    }
}
