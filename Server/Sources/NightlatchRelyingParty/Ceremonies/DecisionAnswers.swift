import NightlatchWire

/// The steps in which every decision of a device is finished, until the store records it.
struct DecisionAnswers: Sendable {
    let context: CeremonyContext
    let verifier: DecisionVerifier

    /// A verified decision of a device that may decide, with the challenge that it consumes.
    struct Verified<Claims: DecidingClaims>: Sendable {
        let claims: Claims
        let device: DeviceRecord
        let use: ChallengeUse
    }

    /// The purpose that a handle was sealed for.
    struct Purpose<Decided: Hashable & Sendable> {
        let user: UserID
        let device: DeviceID
        let decided: Decided
    }

    /// Opens the handle, verifies the message, and refuses a device that was stopped.
    ///
    /// - Parameters:
    ///   - answered: The device's answer.
    ///   - read: Returns the parts of a purpose; nil for a purpose of another ceremony.
    /// - Throws: ``Refusal`` `challengeRefused`, `challengeExpired` or `messageRefused`: the device begins again.
    ///   `deviceRevoked`, `deviceReplaced` or `deviceBlocked`, only if the message is valid: the app tells its user.
    ///   `store`: the device sends the same answer again.
    func verified<Claims: DecidingClaims>(
        _ answered: DecisionAnswer,
        for read: (SealedChallenge.Purpose) -> Purpose<Claims.Decided>?
    ) async throws(Refusal) -> Verified<Claims> {
        let now = context.clock.now()
        let sealed = try context.challenges.open(answered.handle, at: now)
        guard let purpose = read(sealed.purpose) else { throw .challengeRefused }
        let registered = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.device(purpose.device, of: purpose.user)
        }
        // The device existed when the handle was sealed, and devices are never deleted.
        guard let registered else { throw .messageRefused(.wrongSignature) }
        let clients = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.apps.deviceClients(now: now)
        }
        let verified: VerifiedDecision<Claims>
        do {
            verified = try verifier.verify(
                answered.message, by: registered, through: clients,
                expecting: .init(user: purpose.user, decided: purpose.decided, challenge: sealed.challenge), now: now)
        } catch {
            throw .messageRefused(error)
        }
        if let stop = registered.stop { throw Refusal(stop) }
        return Verified(
            claims: verified.claims, device: registered,
            use: ChallengeUse(
                challenge: sealed.challenge, message: verified.messageHash, expiresAt: sealed.expiresAt))
    }
}
