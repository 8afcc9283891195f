import NightlatchTokenVerification
package import NightlatchWire

/// The claims of a device's decision on something that waits for its user.
package protocol DecidingClaims: CeremonyClaims, Hashable {
    associatedtype Decided: Hashable, Sendable

    /// The id of what was decided.
    var decidedID: Decided { get }
}

extension DecisionClaims: DecidingClaims {
    package var decidedID: TransactionID { transaction }
}

extension RemoteLoginClaims: DecidingClaims {
    package var decidedID: RemoteLoginID { login }
}

/// A verified decision of a bound device. Only ``DecisionVerifier`` makes such a value.
package struct VerifiedDecision<Claims: DecidingClaims>: Hashable, Sendable {
    package let claims: Claims
    package let messageHash: MessageHash

    fileprivate init(_ claims: Claims, messageHash: MessageHash) {
        self.claims = claims
        self.messageHash = messageHash
    }
}

/// Verifies the decision of a bound device on a transaction or a remote login.
package struct DecisionVerifier: Sendable {
    package let relyingParty: Issuer

    package init(relyingParty: Issuer) {
        self.relyingParty = relyingParty
    }

    /// The expected values, from the sealed handle.
    package struct Expectation<Decided: Hashable & Sendable>: Hashable, Sendable {
        package let user: UserID
        package let decided: Decided
        package let challenge: Challenge

        package init(user: UserID, decided: Decided, challenge: Challenge) {
            self.user = user
            self.decided = decided
            self.challenge = challenge
        }
    }

    /// Verifies a decision message. The numbers are those of `docs/protocol.md`; the caller has done step 1: it has
    /// opened the handle.
    ///
    /// 2. `message` is a compact JWS; no critical extension; its `typ` is that of a decision of this kind.
    /// 3. The algorithm is that of the registered key, and the key made the signature.
    /// 4. Its header names that key (`kid`) and contains none (`jwk`).
    /// 5. Only then the claims are parsed, strictly.
    /// 6. `aud` is only this relying party, `iss` is the app that bound the device, `sub` is the device's user, and
    ///    `challenge` and `transaction_id` or `login_id` are those of the ceremony.
    /// 7. The message's lifetime is at most 60 seconds, and it is valid now, with 60 seconds of clock tolerance on
    ///    either side.
    ///
    /// The store checks the hash of the details, and the number of a remote login, in the transaction that records the
    /// decision. A revoked device is verified like any other: only a holder of its key may learn that it is revoked.
    package func verify<Claims: DecidingClaims>(
        _ message: String,
        by device: DeviceRecord,
        through clients: Set<ClientID>,
        expecting expectation: Expectation<Claims.Decided>,
        now: NumericDate
    ) throws(MessageRefusal) -> VerifiedDecision<Claims> {
        let jws = try CompactJWS(message, of: Claims.messageType, refusal: MessageRefusal.self)
        let claims: Claims = try jws.answer(
            by: device, through: clients, user: expectation.user, relyingParty: relyingParty,
            challenge: expectation.challenge, now: now)
        guard claims.decidedID == expectation.decided else { throw .wrongDecidedID }
        return VerifiedDecision(claims, messageHash: MessageHash(of: message))
    }
}
