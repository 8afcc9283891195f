import NightlatchTokenVerification
package import NightlatchWire

/// A verified decision of a bound device on a remote login. Only ``RemoteLoginVerifier`` makes such a value.
package struct VerifiedRemoteLogin: Hashable, Sendable {
    package let device: DeviceRecord
    package let claims: RemoteLoginClaims
    package let messageHash: MessageHash

    fileprivate init(_ claims: RemoteLoginClaims, device: DeviceRecord, messageHash: MessageHash) {
        self.claims = claims
        self.device = device
        self.messageHash = messageHash
    }
}

/// Verifies the decision of a bound device on a remote login, as ``DecisionVerifier`` verifies one on a transaction.
package struct RemoteLoginVerifier: Sendable {
    package let relyingParty: Issuer

    package init(relyingParty: Issuer) {
        self.relyingParty = relyingParty
    }

    /// The expected values, from the sealed handle.
    package struct Expectation: Hashable, Sendable {
        package let user: UserID
        package let login: RemoteLoginID
        package let challenge: Challenge

        package init(user: UserID, login: RemoteLoginID, challenge: Challenge) {
            self.user = user
            self.login = login
            self.challenge = challenge
        }
    }

    /// Verifies a message in the steps of ``DecisionVerifier/verify(_:by:through:expecting:now:)``, with the `typ` of
    /// remote logins and `login_id` in place of `transaction_id`.
    ///
    /// The store checks the hash of the details and the number, in the transaction that records the decision.
    package func verify(
        _ message: String,
        by device: DeviceRecord,
        through clients: Set<ClientID>,
        expecting expectation: Expectation,
        now: NumericDate
    ) throws(MessageRefusal) -> VerifiedRemoteLogin {
        let jws = try CompactJWS(message, of: .remoteLogin, refusal: MessageRefusal.self)
        let claims: RemoteLoginClaims = try jws.answer(
            by: device, through: clients, user: expectation.user, relyingParty: relyingParty,
            challenge: expectation.challenge, now: now)
        guard claims.login == expectation.login else { throw .wrongTransaction }
        return VerifiedRemoteLogin(claims, device: device, messageHash: MessageHash(of: message))
    }
}
