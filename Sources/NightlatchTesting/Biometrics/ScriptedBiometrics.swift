public import Crypto
public import Nightlatch

/// A keyring with a sensor and a user that follow a script, and with real keys in memory. Copies of the value share its
/// state.
///
/// It behaves like hardware: a key is bound to the enrolment at the time of its creation, and is lost with it.
public struct ScriptedBiometrics: BiometricKeyring {
    /// The user's answer to a prompt.
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

    /// Adds the answers to the next prompts, in order. After these, the user is recognised.
    public func script(_ answers: Answer...) {
        state.withLock { $0.answers += answers }
    }

    /// Sets the result of ``availability()``. Unless it is `available`, prompts fail with it.
    public func set(_ availability: BiometricAvailability) {
        state.withLock { $0.availability = availability }
    }

    /// Simulates that the user enrols another face or finger: all keys are gone.
    public func changeEnrolment() {
        state.withLock { $0.keys = [:] }
    }

    /// Makes every later creation and removal of a key fail with `failure`; nil ends that.
    public func failKeyChanges(with failure: BiometricError?) {
        state.withLock { $0.failure = failure }
    }

    /// Makes every later removal of a key fail with `failure`; nil ends that. Keys can still be created.
    public func failRemovals(with failure: BiometricError?) {
        state.withLock { $0.removalFailure = failure }
    }

    /// The reasons that the user saw, one for each prompt.
    public var reasons: [String] { state.withLock { $0.reasons } }

    /// The existing keys.
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
            // Key agreement fails only with an invalid point, which only an attacker or a test writes.
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

    /// Returns the key if the user is recognised, otherwise an error. If the key is gone, returns neither and does not
    /// ask the user.
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
