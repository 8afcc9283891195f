package import NightlatchWire

extension App: Codable {
    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        let id: ClientID = try members.value("client_id")
        try self.init(members, id: id) {
            guard let hash = Base64URL.decode(try members.value("client_secret_hash")), hash.count == 32 else {
                throw members.broken("client_secret_hash", "must be 32 bytes in base64url")
            }
            return AppSecretHash(hash)
        }
    }

    /// Reads an app from the members of an object.
    ///
    /// - Parameters:
    ///   - members: The object.
    ///   - id: The app's id.
    ///   - secretHash: Returns the hash of the app's secret. It is called if the app authenticates with one.
    package init(_ members: JSONObjectReader, id: ClientID, secretHash: () throws -> AppSecretHash) throws {
        self.init(
            id: id, name: try members.value("client_name"),
            redirectURIs: try members.optionalValue("redirect_uris") ?? [])
        authentication = try AppAuthentication(members, secretHash: secretHash)
        logoutURIs = try members.optionalValue("post_logout_redirect_uris") ?? []
        if let text: String = try members.optionalValue("scope") { scopes = try Self.scopes(text, of: members) }
        tokenKind = try members.optionalValue("dpop_bound_access_tokens") == true ? .dpop : .bearer
        bindsDevices = try members.optionalValue("binds_devices") ?? false
        if let seconds: Int = try members.optionalValue("access_token_seconds") { accessTokenLife = .seconds(seconds) }
        if let seconds: Int = try members.optionalValue("refresh_token_seconds") {
            refreshTokenLife = seconds == 0 ? nil : .seconds(seconds)
        }
        if let word: String = try members.optionalValue("device_policy") {
            guard let policy = DevicePolicy(rawValue: word) else {
                throw members.broken("device_policy", "must be many or one")
            }
            devicePolicy = policy
        }
        if let problem { throw members.broken(nil, problem) }
    }

    /// Writes the members in the order of their names.
    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, withSecretHash: true) }

    package func encode(to encoder: any Encoder, withSecretHash: Bool) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("access_token_seconds", Int(accessTokenLife.components.seconds))
        try members.add("binds_devices", bindsDevices)
        try members.add("client_id", id)
        try members.add("client_name", name)
        if withSecretHash, case .secret(let hash) = authentication {
            try members.add("client_secret_hash", Base64URL.encode(hash.bytes))
        }
        if let devicePolicy { try members.add("device_policy", devicePolicy.rawValue) }
        try members.add("dpop_bound_access_tokens", tokenKind == .dpop)
        if case .privateKey(let keys) = authentication { try members.add("jwks", AppKeys(keys: keys.keys.map(\.key))) }
        try members.add("post_logout_redirect_uris", logoutURIs)
        try members.add("redirect_uris", redirectURIs)
        try members.add("refresh_token_seconds", Int(refreshTokenLife?.components.seconds ?? 0))
        try members.add("scope", scopes.text)
        try members.add("token_endpoint_auth_method", authentication.method)
    }

    private static func scopes(_ text: String, of members: JSONObjectReader) throws -> [AppScope] {
        try text.split(separator: " ").map { word in
            guard let scope = AppScope(rawValue: String(word)) else {
                throw members.broken("scope", "must be words, each of \(AppScopeRule.requirement)")
            }
            return scope
        }
    }
}

extension AppAuthentication {
    fileprivate init(_ members: JSONObjectReader, secretHash: () throws -> AppSecretHash) throws {
        switch try members.optionalValue("token_endpoint_auth_method") ?? Method.none {
        case .none: self = .none
        case .secret: self = .secret(try secretHash())
        case .privateKey: self = .privateKey(JWKSet(keys: try members.value("jwks", as: AppKeys.self).keys))
        }
    }
}

/// The JSON of an app's keys. No key is ignored: an operator who registers an unusable key gets an error.
package struct AppKeys: Codable {
    package let keys: [PublicJWK]

    package init(keys: [PublicJWK]) { self.keys = keys }
}
