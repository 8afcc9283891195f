internal import Foundation

/// The tokens of a user: an access token for the app's own servers, a refresh token and an ID token.
///
/// Tokens are secrets. As in the vendor's SDK they are `String`s, and Swift cannot overwrite a `String` in memory. A
/// printed value shows no token.
public struct Token: Codable, Hashable, Sendable {
    public let accessToken: String
    /// `Bearer`.
    public let tokenType: String?
    /// The granted scopes, separated by spaces.
    public let scope: String?
    /// The life of the access token, in seconds.
    public let expiresIn: Int64
    public let refreshToken: String?
    /// The ID token. Its issuer, audience, nonce and subject were checked. Its signature was not checked, because the
    /// token came from the server itself over TLS. Do not use it to log in to a server: send the access token.
    public let idToken: String?
    /// The end of the access token, in seconds since 1970 of this device's clock.
    public let expiresAt: Int64
    /// Identifies the session that the tokens were issued for. Nil if it is not known.
    var session: String?

    public init(
        accessToken: String,
        tokenType: String?,
        scope: String?,
        expiresIn: Int64,
        refreshToken: String?,
        idToken: String?
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.scope = scope
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.idToken = idToken
        expiresAt = Self.end(of: expiresIn, from: Date())
    }

    /// Creates the tokens of an answer. Members that the answer of a refresh may leave out come from `earlier`.
    init(_ answer: TokenAnswer, at now: Date, session: String?, earlier: Token?) {
        accessToken = answer.accessToken
        tokenType = answer.tokenType
        scope = answer.scope ?? earlier?.scope
        expiresIn = answer.expiresIn
        refreshToken = answer.refreshToken ?? earlier?.refreshToken
        idToken = answer.idToken ?? earlier?.idToken
        expiresAt = Self.end(of: answer.expiresIn, from: now)
        self.session = session ?? earlier?.session
    }

    /// Whether the access token has ended.
    public var isExpired: Bool { isExpired(threshold: 0) }

    /// Whether the access token ends within `threshold` seconds.
    public func isExpired(threshold: Int64) -> Bool { isExpired(threshold: threshold, at: Date()) }

    func isExpired(threshold: Int64, at now: Date) -> Bool {
        let (end, overflow) = expiresAt.subtractingReportingOverflow(threshold)
        return overflow || Self.seconds(now) >= end
    }

    private static func seconds(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970) }

    private static func end(of life: Int64, from now: Date) -> Int64 {
        let (end, overflow) = seconds(now).addingReportingOverflow(life)
        return overflow ? .max : end
    }

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case scope
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case idToken = "id_token"
        case expiresAt = "expires_at"
        case session
    }
}

extension Token: CustomStringConvertible, CustomReflectable {
    /// Leaves out the tokens.
    public var description: String { "Token(scope: \(scope ?? ""), expiresAt: \(expiresAt))" }

    public var customMirror: Mirror { Mirror(self, children: ["scope": scope ?? "", "expiresAt": expiresAt]) }
}
