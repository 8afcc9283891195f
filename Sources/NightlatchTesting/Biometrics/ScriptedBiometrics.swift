public import Crypto
public import Nightlatch

/// A keyring whose sensor and person follow a script, with real keys in memory. Copies of the value share it.
///
/// It behaves as hardware does: a key is bound to the enrolment that was there when it was made, and goes with it.
public struct ScriptedBiometrics: BiometricKeyring {
    /// What the person does at the next prompt.
    public enum Answer: Hashable, Sendable {
        case recognised
        case fails(BiometricError)
    }

    fileprivate struct State {
        var availability = BiometricAvailability.available
        var answers: [Answer] = []
        var reasons: [String] = []
        var keys: [BiometricKeyID: P256.KeyAgreement.PrivateKey] = [:]
        var failure: BiometricError?
        var removalFailure: BiometricError?
    }

    private let state = Shared(State())

    public init() {}

    /// What the next prompts meet with, in order; after them the person is recognised.
    public func script(_ answers: Answer...) {
        state.withLock { $0.answers += answers }
    }

    /// What ``availability()`` says from now on, and what prompts fail with unless it is `available`.
    public func set(_ availability: BiometricAvailability) {
        state.withLock { $0.availability = availability }
    }

    /// The person enrols another face or finger: every key is gone.
    public func changeEnrolment() {
        state.withLock { $0.keys = [:] }
    }

    /// Fails every creation and removal of a key from now on, or none.
    public func failKeyChanges(with failure: BiometricError?) {
        state.withLock { $0.failure = failure }
    }

    /// Fails every removal of a key from now on, or none. Keys can be made.
    public func failRemovals(with failure: BiometricError?) {
        state.withLock { $0.removalFailure = failure }
    }

    /// The reasons that the person was shown, one for each prompt.
    public var reasons: [String] { state.withLock { $0.reasons } }

    /// Which keys there are.
    public var keys: Set<BiometricKeyID> { state.withLock { Set($0.keys.keys) } }

    public func availability() async -> BiometricAvailability {
        state.withLock { $0.availability }
    }

    public func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey {
        let new = P256.KeyAgreement.PrivateKey()
        let failure = state.withLock { state in
            let failure = state.failure ?? state.unavailability
            if failure == nil { state.keys[key] = new }
            return failure
        }
        if let failure { throw failure }
        return new.publicKey
    }

    public func open(
        _ box: HPKEBox,
        with key: BiometricKeyID,
        info: [UInt8],
        reason: String
    ) async throws(BiometricError) -> SecretBytes {
        let (privateKey, failure) = state.withLock { state in state.prompt(for: key, reason: reason) }
        if let failure { throw failure }
        guard let privateKey else { throw .enrolmentChanged }
        let secret: SecretBytes?
        do {
            secret = try box.open(with: privateKey, suite: HPKEBox.biometricSuite, info: info)
        } catch {
            // This key agrees with any point but a planted one.
            throw .corrupt
        }
        guard let secret else { throw .corrupt }
        return secret
    }

    public func remove(_ key: BiometricKeyID) async throws(BiometricError) {
        let failure = state.withLock { state in
            let failure = state.failure ?? state.removalFailure
            if failure == nil { state.keys[key] = nil }
            return failure
        }
        if let failure { throw failure }
    }
}

extension ScriptedBiometrics.State {
    fileprivate var unavailability: BiometricError? {
        availability == .available ? nil : .unavailable(availability)
    }

    /// A key that is gone is told without asking the person, as the system does.
    fileprivate mutating func prompt(
        for key: BiometricKeyID,
        reason: String
    ) -> (P256.KeyAgreement.PrivateKey?, BiometricError?) {
        if let unavailability { return (nil, unavailability) }
        guard let privateKey = keys[key] else { return (nil, nil) }
        reasons.append(reason)
        switch answers.isEmpty ? .recognised : answers.removeFirst() {
        case .recognised: return (privateKey, nil)
        case .fails(let error): return (nil, error)
        }
    }
}
