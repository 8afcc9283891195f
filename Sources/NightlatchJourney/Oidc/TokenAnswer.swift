internal import NightlatchWire

/// The token endpoint's answer to a successful request.
struct TokenAnswer: Sendable {
    let accessToken: String
    let tokenType: String?
    let scope: String?
    let expiresIn: Int64
    let refreshToken: String?
    let idToken: String?

    /// Returns nil if the answer lacks the access token or its lifetime, or if its token type is not `Bearer`.
    init?(_ body: JSONObject) {
        guard let accessToken = body["access_token"]?.string, !accessToken.isEmpty,
            let life = body["expires_in"]?.integer, life >= 0
        else { return nil }
        tokenType = body["token_type"]?.string
        guard tokenType == nil || tokenType?.lowercased() == "bearer" else { return nil }
        self.accessToken = accessToken
        expiresIn = Int64(life)
        scope = body["scope"]?.string
        refreshToken = body["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        idToken = body["id_token"]?.string
    }
}
