import Crypto
import NightlatchTokenVerification
package import NightlatchWire

/// The content of a login page's QR code. It becomes a ``RemoteLogin`` when a device scans it.
package struct OfferedRemoteLogin: Codable, Hashable, Sendable {
    package let id: RemoteLoginID
    package let client: ClientID
    package let place: RemoteLoginPlace?
    package let number: RemoteLoginNumber
    package let requestedAt: NumericDate
    package let expiresAt: NumericDate

    package init(
        id: RemoteLoginID, client: ClientID, place: RemoteLoginPlace?, number: RemoteLoginNumber,
        requestedAt: NumericDate, expiresAt: NumericDate
    ) {
        self.id = id
        self.client = client
        self.place = place
        self.number = number
        self.requestedAt = requestedAt
        self.expiresAt = expiresAt
    }

    // Short names: fewer bytes make a QR code that a camera reads from further away.
    private enum CodingKeys: String, CodingKey {
        case id = "i"
        case client = "c"
        case place = "p"
        case number = "n"
        case requestedAt = "r"
        case expiresAt = "e"
    }

    /// The offer for a user whose name was entered on the page. Its id depends on the user, and its life begins now.
    ///
    /// So a page on which the name was not entered tells nothing about the login: it would tell whether the user
    /// exists. If the same name is entered again, for example by a second click, the login is the same.
    package func naming(_ user: UserID, at now: NumericDate) -> Self {
        let hash = SHA256.digest(of: Array((id.rawValue + user.rawValue).utf8)).bytes
        return Self(
            id: RemoteLoginID(bytes: hash), client: client, place: place, number: number, requestedAt: now,
            expiresAt: now + RemoteLogin.life)
    }

    /// The offer after a device has scanned the page. The user has the whole life of a login for the decision.
    package func claimed(at now: NumericDate) -> Self {
        Self(
            id: id, client: client, place: place, number: number, requestedAt: requestedAt,
            expiresAt: now + RemoteLogin.life)
    }

    /// The login after `user` has identified themselves or was named.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - app: The name of the app.
    ///   - isClaimed: Whether the user's device scanned the code.
    package func login(of user: UserID, to app: AppName, isClaimed: Bool) -> RemoteLogin {
        RemoteLogin(
            id: id, user: user,
            details: RemoteLoginDetails(
                client: client, app: app, place: place, message: nil, hasNumber: true, requestedAt: requestedAt,
                expiresAt: expiresAt),
            number: number, isClaimed: isClaimed)
    }
}

/// Seals offered logins into the codes that a login page shows.
///
/// Showing a page therefore writes nothing. A person who reads the code from a screen does not learn its number.
package struct RemoteLoginCodes: Sendable {
    private let sealer: JSONSealer

    package init(keyring: MasterKeyring) { sealer = JSONSealer(keyring: keyring, for: .remoteLoginCode) }

    package func seal(_ offer: OfferedRemoteLogin) throws(Refusal) -> RemoteLoginCode {
        guard let code = sealer.seal(StrictJSON.encode(offer)).flatMap(RemoteLoginCode.init) else {
            throw .internalError
        }
        return code
    }

    /// The content of `code`; nil if it is not from this relying party or has expired.
    package func open(_ code: RemoteLoginCode, at now: NumericDate) -> OfferedRemoteLogin? {
        guard let offer: OfferedRemoteLogin = sealer.open(code.rawValue), now <= offer.expiresAt else { return nil }
        return offer
    }
}
