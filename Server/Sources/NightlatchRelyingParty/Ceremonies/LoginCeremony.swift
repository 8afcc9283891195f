import CoreMetrics
package import NightlatchTokenVerification
package import NightlatchWire

/// Logs in a user with a bound device key.
package struct LoginCeremony: Sendable {
    let store: any RelyingPartyStore
    let apps: AppRegistry
    let challenges: CeremonyChallenges
    let verifier: LoginVerifier
    let proofs: DPoPVerifier
    let tokens: TokenGrants
    let policies: PolicyDelivery
    let limits: Limits
    let pace: RefusalPace
    let clock: WallClock

    package init(
        in context: CeremonyContext,
        verifier: LoginVerifier,
        proofs: DPoPVerifier,
        tokens: TokenGrants,
        policies: PolicyDelivery,
        limits: Limits
    ) {
        store = context.store
        apps = context.apps
        challenges = context.challenges
        pace = context.pace
        clock = context.clock
        self.verifier = verifier
        self.proofs = proofs
        self.tokens = tokens
        self.policies = policies
        self.limits = limits
    }

    /// The limits on logins.
    package struct Limits: Sendable {
        /// Limits the requests for each requested user id; nil for no limit.
        let account: TokenBuckets?
        let localPin: LocalPinPolicy
        let guesses: GuessLimit

        package init(account: TokenBuckets?, localPin: LocalPinPolicy, guesses: GuessLimit) {
            self.account = account
            self.localPin = localPin
            self.guesses = guesses
        }
    }

    /// Returns a challenge.
    ///
    /// Writes nothing and looks up nothing: the response does not reveal whether there is such a device.
    package func begin(_ request: LoginRequest) throws(Refusal) -> LoginChallenge {
        // The limit applies before the relying party knows whether the user exists.
        if let wait = limits.account?.take(for: request.user) { throw .rateLimited(retryAfter: wait) }
        let now = clock.now()
        let (sealed, handle) = try challenges.begin(.login(user: request.user, device: request.device), at: now)
        return LoginChallenge(
            challenge: sealed.challenge, handle: handle, issuedAt: now, expiresAt: sealed.expiresAt)
    }

    /// Verifies the answer and issues tokens that are bound to the possession key.
    ///
    /// A challenge gives tokens only once: a device that lost the response must begin again.
    ///
    /// - Parameters:
    ///   - assertion: The signed answer.
    ///   - handle: The handle of the challenge.
    ///   - policy: The revision of the policy that the device has; nil for a device that knows no policies.
    ///   - dpopProofs: The DPoP proofs of the request.
    package func finish(
        assertion: String,
        handle: ChallengeHandle,
        policy: PolicyRevision?,
        proofs dpopProofs: [String]
    ) async throws(Refusal) -> TokenGrant {
        let now = clock.now()
        let sealed = try challenges.open(handle, at: now)
        guard case .login(let user, let device) = sealed.purpose else { throw .challengeRefused }
        let verified = try await pace.keep { () async throws(Refusal) in
            try await verify(
                assertion, by: device, expecting: .init(user: user, challenge: sealed.challenge), now: now)
        }
        if let stop = verified.device.stop { throw Refusal(stop) }
        do {
            _ = try proofs.verify(
                dpopProofs, expecting: .init(route: .token, key: verified.possessionKey), now: now)
        } catch {
            throw Refusal(error)
        }
        switch verified.userVerification {
        case .twoPartyPin, .biometrics, .recoveryPhrase: break
        case .pin, nil:
            guard limits.localPin == .accepted else { throw .localPinRefused }
        }
        // The token is signed before anything is written: after the commit nothing may fail.
        let refreshToken = FamilyToken.random(of: .random(of: verified.device.id))
        let authentication = Authentication(time: now, userVerification: verified.userVerification)
        let issuer = try await answer { () async throws(RelyingPartyStoreError) in
            try await tokens.keys.issuer(now: now)
        }
        var grant = try tokens.grant(
            by: issuer, user: user, device: verified.device.id, client: verified.device.client,
            authentication: authentication,
            possessionKey: verified.possessionKey, refreshToken: refreshToken, now: now)
        let login = NewLogin(
            device: verified.device.id, user: user, possessionKey: verified.possessionKey,
            authentication: authentication,
            refreshFamily: refreshToken.family,
            refreshToken: refreshToken.hash, refreshLife: tokens.refreshLife,
            pinGuessLimit: verified.userVerification == .twoPartyPin ? limits.guesses.count : nil)
        let use = ChallengeUse(
            challenge: sealed.challenge, message: verified.messageHash, expiresAt: sealed.expiresAt)
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.recordLogin(login, consuming: use)
        }
        switch outcome {
        case .loggedIn:
            CeremonyMetrics.logins.increment()
            grant.policy = await policies.policy(
                of: user, at: verified.device.client, newerThan: policy, now: now)
            return grant
        case .challengeExpired: throw .challengeExpired
        case .challengeUsed: throw .challengeUsed
        case .deviceStopped(let stop): throw Refusal(stop)
        case .noSuchDevice: throw .messageRefused(.wrongSignature)
        case .pinNotEnrolled: throw .pinNotEnrolled
        }
    }

    /// Verifies the answer of the device that the login request named. If it named none, verifies that one of the
    /// user's devices signed the answer.
    ///
    /// If the message names the device's key, the device is found even if it was revoked long ago.
    private func verify(
        _ assertion: String,
        by device: DeviceID?,
        expecting expectation: LoginVerifier.Expectation,
        now: NumericDate
    ) async throws(Refusal) -> VerifiedLogin {
        let user = expectation.user
        let clients = try await answer { () async throws(RelyingPartyStoreError) in
            try await apps.deviceClients(now: now)
        }
        var registered: DeviceRecord?
        var known: [DeviceRecord] = []
        if let device {
            registered = try await answer { () async throws(RelyingPartyStoreError) in
                try await store.device(device, of: user)
            }
        } else {
            known = try await devices(of: user, named: keyID(in: assertion))
        }
        do {
            return device == nil
                ? try verifier.verify(assertion, byOneOf: known, through: clients, expecting: expectation, now: now)
                : try verifier.verify(assertion, by: registered, through: clients, expecting: expectation, now: now)
        } catch {
            throw .messageRefused(error)
        }
    }

    /// The id of the key that the message names. The signature is not verified yet.
    private func keyID(in assertion: String) throws(Refusal) -> KeyID? {
        do {
            return try verifier.keyID(in: assertion)
        } catch {
            throw .messageRefused(error)
        }
    }

    private func devices(of user: UserID, named key: KeyID?) async throws(Refusal) -> [DeviceRecord] {
        try await answer { () async throws(RelyingPartyStoreError) in
            if let key { return try await store.device(withKey: key, of: user).map { [$0] } ?? [] }
            // Some revoked devices are included, so that their refusals can say that the device was revoked.
            return try await store.devices(
                of: user, activeLimit: ActiveDeviceLimit.range.upperBound,
                revokedLimit: LoginVerifier.leastKeyCount)
        }
    }
}
