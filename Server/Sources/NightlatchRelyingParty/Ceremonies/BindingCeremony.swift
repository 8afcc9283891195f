import CoreMetrics
package import NightlatchWire

/// Binds a device key to the user that the enrolment code was issued for.
package struct BindingCeremony: Sendable {
    let store: any RelyingPartyStore
    let apps: AppRegistry
    let challenges: CeremonyChallenges
    let keyring: MasterKeyring
    let verifier: BindingVerifier
    let activeDeviceLimit: Int
    /// The policy for apps without one.
    let policy: DevicePolicy
    /// The public key that verifies policies and signed responses about the device's two-party PIN.
    let answerKey: PublicJWK
    let policies: PolicyDelivery
    let clock: WallClock

    package init(
        in context: CeremonyContext,
        verifier: BindingVerifier,
        activeDeviceLimit: Int,
        policy: DevicePolicy,
        answerKey: PublicJWK,
        policies: PolicyDelivery
    ) {
        store = context.store
        apps = context.apps
        challenges = context.challenges
        keyring = context.keyring
        clock = context.clock
        self.verifier = verifier
        self.activeDeviceLimit = activeDeviceLimit
        self.policy = policy
        self.answerKey = answerKey
        self.policies = policies
    }

    /// Returns a challenge for the device key that the request names. Writes nothing.
    package func begin(_ request: BindingRequest) async throws(Refusal) -> BindingChallenge {
        let (user, code) = try await user(enrolledBy: request)
        let now = clock.now()
        let (sealed, handle) = try challenges.begin(
            .binding(user: user, deviceKey: request.deviceKey, enrolmentCode: code), at: now)
        return BindingChallenge(
            user: user, challenge: sealed.challenge, handle: handle, issuedAt: now, expiresAt: sealed.expiresAt)
    }

    /// The user of the request's code, and the MAC under which the store has the code: during a rotation of the master
    /// key it may be that of either key.
    private func user(
        enrolledBy request: BindingRequest
    ) async throws(Refusal) -> (UserID, EnrolmentCodeMAC) {
        for code in EnrolmentCodeMAC.all(of: request.enrolmentCode, under: keyring) {
            let enrolled = try await answer { () async throws(RelyingPartyStoreError) in
                try await store.user(enrolledBy: code, deviceKey: request.deviceKey)
            }
            if let enrolled { return (enrolled, code) }
        }
        throw .enrolmentCodeRefused
    }

    /// Verifies the answer and binds the key.
    ///
    /// A client that lost the result may send the same message again, or begin again and send a new message. In both
    /// cases it gets the same device.
    package func finish(_ request: BindingAnswer) async throws(Refusal) -> BindingResult {
        let now = clock.now()
        let sealed = try challenges.open(request.handle, at: now)
        guard case .binding(let user, let deviceKey, let code) = sealed.purpose else { throw .challengeRefused }
        let registered = try await answer { () async throws(RelyingPartyStoreError) in
            try await apps.current(now: now)
        }
        let verified: VerifiedBinding
        do {
            verified = try verifier.verify(
                request.message, through: registered.deviceClients,
                expecting: .init(user: user, deviceKey: deviceKey, challenge: sealed.challenge), now: now)
        } catch {
            throw .messageRefused(error)
        }
        let binding = NewBinding(
            enrolmentCode: code, user: verified.user, client: verified.client, key: verified.key,
            algorithm: verified.algorithm, possessionKey: verified.possessionKey, name: verified.deviceName,
            activeDeviceLimit: activeDeviceLimit,
            policy: registered[verified.client]?.devicePolicy ?? policy)
        let use = ChallengeUse(
            challenge: sealed.challenge, message: verified.messageHash, expiresAt: sealed.expiresAt)
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.bind(binding, consuming: use)
        }
        switch outcome {
        case .bound(let device):
            CeremonyMetrics.bindings.increment()
            let policy = await policies.policy(
                of: user, at: verified.client, newerThan: request.policyRevision, now: now)
            return BindingResult(user: user, device: device, answerKey: answerKey, policy: policy)
        case .codeRefused: throw .enrolmentCodeRefused
        case .challengeExpired: throw .challengeExpired
        case .challengeUsed: throw .challengeUsed
        case .keyTaken: throw .deviceKeyTaken
        case .tooManyDevices: throw .tooManyDevices
        case .deviceStopped(let stop): throw Refusal(stop)
        }
    }
}
