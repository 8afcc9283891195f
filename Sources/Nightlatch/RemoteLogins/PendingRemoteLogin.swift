public import NightlatchWire

/// A login elsewhere that waits for the decision of this device's user, as the relying party has sent it: a login in a
/// browser, or a request of an app's backend.
///
/// Only ``Session/pendingRemoteLogins()`` and ``Session/claimRemoteLogin(_:)`` create one. So the signed content is the
/// received content, and ``details`` contains all of it. Show all members unchanged: the app's name and id, the place,
/// the message, whether there is a number, the time of the request and the time of expiry.
///
/// Every login can be shown: the relying party begins none with a text that has hidden characters. It checks the name
/// of an app when an operator sets it, and a message when a backend sends it; the place is a network address.
public struct PendingRemoteLogin: Hashable, Identifiable, Sendable {
    public let id: RemoteLoginID
    public let details: RemoteLoginDetails

    init(_ notice: RemoteLoginNotice) {
        id = notice.id
        details = notice.details
    }
}

/// The logins that wait for the user's decision.
public struct PendingRemoteLogins: Hashable, Sendable {
    /// The logins, oldest first.
    public let logins: [PendingRemoteLogin]
    /// Whether as many logins were requested for the user as the relying party allows at a time.
    ///
    /// If the user did not request them, an attacker may be trying to tire the user into confirming one. Warn the user:
    /// reject every login that you did not begin yourself.
    public let isLimitReached: Bool
}

extension Session {
    /// Returns the remote logins that the user may decide now. The vault may be locked.
    public func pendingRemoteLogins() async throws(SessionError) -> PendingRemoteLogins {
        let list = try await proved(.remoteLogins, path: Route.remoteLogins.path).send {
            proof throws(RelyingPartyError) in
            try await relyingParty.remoteLogins(Authorization(accessToken: accessToken, proof: proof))
        }
        return PendingRemoteLogins(
            logins: list.logins.map(PendingRemoteLogin.init), isLimitReached: list.isLimitReached)
    }

    /// Tells the relying party that the user of this device scanned the QR code of a login page, and returns the login
    /// to decide. The vault may be locked.
    ///
    /// Nothing is decided yet. Idempotent for the same user. If the device of another user has claimed the same code,
    /// the login ends without a decision.
    ///
    /// ```swift
    /// guard let code = RemoteLoginCode(scanned: text, issuer: server.issuer) else {
    ///     return show("This is not a login code of our service.")
    /// }
    /// let login = try await session.claimRemoteLogin(code)
    /// ```
    ///
    /// - Parameter code: The code, read from the scanned text for this session's relying party.
    /// - Throws: ``SessionError``. With `ProblemCode.remoteLoginEnded`, the user scans a new code.
    public func claimRemoteLogin(_ code: RemoteLoginCode) async throws(SessionError) -> PendingRemoteLogin {
        let notice = try await proved(.claimRemoteLogin, path: Route.claimRemoteLogin.path).send {
            proof throws(RelyingPartyError) in
            try await relyingParty.claimRemoteLogin(
                RemoteLoginClaim(code: code), Authorization(accessToken: accessToken, proof: proof))
        }
        return PendingRemoteLogin(notice)
    }
}
