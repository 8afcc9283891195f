import NightlatchTokenVerification
package import NightlatchWire

/// A decision that was verified against a registered key. Only ``DecisionVerifier`` makes one.
package struct VerifiedDecision: Hashable, Sendable {
    package let device: RegisteredDevice
    package let decision: TransactionDecision
    package let detailsHash: TransactionDetailsHash
    package let messageHash: MessageHash

    fileprivate init(_ claims: DecisionClaims, device: RegisteredDevice, messageHash: MessageHash) {
        self.device = device
        decision = claims.decision
        detailsHash = claims.detailsHash
        self.messageHash = messageHash
    }
}

/// Verifies that a bound device decides a transaction.
package struct DecisionVerifier: Sendable {
    package let relyingParty: Issuer
    package let clients: Set<ClientID>

    package init(relyingParty: Issuer, clients: Set<ClientID>) {
        self.relyingParty = relyingParty
        self.clients = clients
    }

    /// What the sealed handle says of the ceremony.
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

    /// The numbers are those of `docs/protocol.md`; the handle was opened before.
    ///
    /// 2. `message` is a compact JWS; no critical extension; its `typ` is that of a decision.
    /// 3. The algorithm is that of the registered key, and the signature is by it.
    /// 4. Its header names that key (`kid`) and carries none (`jwk`).
    /// 5. Only now the claims are read, strictly.
    /// 6. `aud` is this relying party alone, `iss` the app that bound the device, `sub` the device's user, `challenge` the
    ///    one that was given, `transaction_id` the one that it was given for.
    /// 7. The message lives at most 60 seconds and is alive, with 60 seconds of clock skew either way.
    ///
    /// Whether the hash is that of the transaction's details is for the store to say, in the transaction that records it. A revoked
    /// device is verified like any other: only who holds its key is to learn that it is revoked.
    package func verify(
        _ message: String,
        by device: RegisteredDevice,
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
