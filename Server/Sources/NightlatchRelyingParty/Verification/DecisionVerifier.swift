import NightlatchTokenVerification
package import NightlatchWire

/// A verified decision of a bound device. Only ``DecisionVerifier`` makes such a value.
package struct VerifiedDecision: Hashable, Sendable {
    package let device: DeviceRecord
    package let decision: TransactionDecision
    package let detailsHash: TransactionDetailsHash
    package let messageHash: MessageHash

    fileprivate init(_ claims: DecisionClaims, device: DeviceRecord, messageHash: MessageHash) {
        self.device = device
        decision = claims.decision
        detailsHash = claims.detailsHash
        self.messageHash = messageHash
    }
}

/// Verifies the decision of a bound device on a transaction.
package struct DecisionVerifier: Sendable {
    package let relyingParty: Issuer

    package init(relyingParty: Issuer) {
        self.relyingParty = relyingParty
    }

    /// The expected values, from the sealed handle.
    package struct Expectation: Hashable, Sendable {
        package let user: UserID
        package let transaction: TransactionID
        package let challenge: Challenge

        package init(user: UserID, transaction: TransactionID, challenge: Challenge) {
            self.user = user
            self.transaction = transaction
            self.challenge = challenge
        }
    }

    /// Verifies a decision message. The numbers are those of `docs/protocol.md`; the caller has done step 1: it has
    /// opened the handle.
    ///
    /// 2. `message` is a compact JWS; no critical extension; its `typ` is that of a decision.
    /// 3. The algorithm is that of the registered key, and the key made the signature.
    /// 4. Its header names that key (`kid`) and contains none (`jwk`).
    /// 5. Only then the claims are parsed, strictly.
    /// 6. `aud` is only this relying party, `iss` is the app that bound the device, `sub` is the device's user, and
    ///    `challenge` and `transaction_id` are those of the ceremony.
    /// 7. The message's lifetime is at most 60 seconds, and it is valid now, with 60 seconds of clock tolerance on
    ///    either side.
    ///
    /// The store checks the hash of the transaction's details, in the transaction that records the decision. A revoked
    /// device is verified like any other: only a holder of its key may learn that it is revoked.
    package func verify(
        _ message: String,
        by device: DeviceRecord,
        through clients: Set<ClientID>,
        expecting expectation: Expectation,
        now: NumericDate
    ) throws(MessageRefusal) -> VerifiedDecision {
        let jws = try CompactJWS(message, of: .transaction, refusal: MessageRefusal.self)
        let claims: DecisionClaims = try jws.answer(
            by: device, through: clients, user: expectation.user, relyingParty: relyingParty,
            challenge: expectation.challenge, now: now)
        guard claims.transaction == expectation.transaction else { throw .wrongTransaction }
        return VerifiedDecision(claims, device: device, messageHash: MessageHash(of: message))
    }
}
