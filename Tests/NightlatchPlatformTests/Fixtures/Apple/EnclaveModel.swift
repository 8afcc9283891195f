import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire

/// A device with a Secure Enclave, a sensor and a person, in memory, with the error codes of LocalAuthentication as documented. Copies of
/// the value are processes of the same device.
struct EnclaveModel: Sendable {
    /// What the person does at a prompt.
    enum Act: Hashable, Sendable {
        case isRecognised
        /// A face or finger that is not enrolled. The fifth one in a row locks biometrics.
        case isNotRecognised
        case cancels
        case choosesPin
        /// The system takes the prompt away, as for a call.
        case isInterrupted
        /// Looks at the prompt until it is taken away.
        case waits
    }

    /// One prompt as it was shown.
    struct Shown: Hashable, Sendable {
        let reason: String
        let titles: BiometricPromptTitles
    }

    enum Key: Sendable {
        case signing(P256.Signing.PrivateKey, password: [UInt8]?)
        case agreement(P256.KeyAgreement.PrivateKey, enrolment: Int)
    }

    struct State: Sendable {
        var hasEnclave = true
        var hasSensor = true
        var isPermitted = true
        var hasPasscode = true
        var enrolment: Int? = 1
        /// Whether the system tells the hash of the enrolment, and what it adds to it since its last update.
        var hashSalt: UInt8? = 0
        var isLocked = false
        var mismatches = 0
        var acts: [Act] = []
        var shown: [Shown] = []
        var keys: [[UInt8]: Key] = [:]
        /// With what the chip refuses a key whose enrolment is gone. No documentation says.
        var goneKeyFailure = AppleFailure(token: .objectNotFound)
        /// With what the chip refuses whatever comes next.
        var failures: [AppleFailure] = []
        /// What would have ended the app.
        var crashes: [String] = []
        /// Prompts that were not invalidated yet.
        var openPrompts: Set<Int> = []
        var promptCount = 0
    }

    private let state = Shared(State())
    private let waiting = AsyncStream.makeStream(of: Void.self)

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
    func get<Value>(_ property: KeyPath<State, Value>) -> Value { state.withLock { $0[keyPath: property] } }

    /// Returns once a prompt is there that the person only looks at.
    func waitForPrompt() async {
        for await _ in waiting.stream { return }
    }

    var enclave: EnclaveCalls {
        EnclaveCalls(
            isAvailable: { get(\.hasEnclave) },
            makeSigningKey: { access throws(AppleFailure) in
                if let failure = failure() { throw failure }
                let representation = Self.newRepresentation()
                let key = P256.Signing.PrivateKey()
                let password = password(of: access)
                set { $0.keys[representation] = .signing(key, password: password) }
                return signingKey(representation, key, password: password)
            },
            openSigningKey: { representation, access throws(AppleFailure) in
                if let failure = failure() { throw failure }
                let known = state.withLock { $0.keys[representation] }
                guard case .signing(let key, _) = known else { throw AppleFailure(token: .corruptedData) }
                return signingKey(representation, key, password: password(of: access))
            },
            makeAgreementKey: { () throws(AppleFailure) in
                if let failure = failure() { throw failure }
                let (hasPasscode, enrolment) = state.withLock { ($0.hasPasscode, $0.enrolment) }
                guard hasPasscode else { throw AppleFailure(localAuthentication: .passcodeNotSet) }
                guard let enrolment else { throw AppleFailure(localAuthentication: .biometryNotEnrolled) }
                let representation = Self.newRepresentation()
                let key = P256.KeyAgreement.PrivateKey()
                set { $0.keys[representation] = .agreement(key, enrolment: enrolment) }
                return EnclaveKeyPair(representation: representation, publicKey: key.publicKey)
            })
    }

    var biometry: BiometryCalls {
        BiometryCalls(
            state: {
                state.withLock { state in
                    let hash = state.hashSalt.flatMap { salt in state.enrolment.map { [salt, UInt8($0)] } }
                    return BiometryState(
                        failure: state.unavailability.map { AppleFailure(localAuthentication: $0) },
                        hasSensor: state.hasSensor, enrolment: hash)
                }
            },
            makePrompt: { prompt($0) })
    }

    private func prompt(_ titles: BiometricPromptTitles) -> BiometryPrompt {
        let number = state.withLock { state in
            state.promptCount += 1
            state.openPrompts.insert(state.promptCount)
            return state.promptCount
        }
        let context = Shared(Context())
        return BiometryPrompt(
            evaluate: { reason, reply in
                if reason.isEmpty { set { $0.crashes.append("an empty reason") } }
                let act: Act? = state.withLock { state in
                    guard state.unavailability == nil, context.withLock({ !$0.isInvalid }) else { return nil }
                    state.shown.append(Shown(reason: reason, titles: titles))
                    return state.acts.isEmpty ? .isRecognised : state.acts.removeFirst()
                }
                guard let act else {
                    let code = get(\.unavailability) ?? .invalidContext
                    return reply(AppleFailure(localAuthentication: code))
                }
                perform(act, in: context, reply)
            },
            sharedSecret: { representation, publicKey throws(AppleFailure) in
                if let failure = failure() { throw failure }
                guard context.withLock({ $0.isRecognised && !$0.isInvalid }) else {
                    throw AppleFailure(localAuthentication: .notInteractive)
                }
                let (known, enrolment, gone) = state.withLock {
                    ($0.keys[representation], $0.enrolment, $0.goneKeyFailure)
                }
                guard case .agreement(let key, let bound) = known, bound == enrolment else { throw gone }
                do {
                    return try key.sharedSecretFromKeyAgreement(with: publicKey)
                } catch {
                    throw AppleFailure(token: .badParameter)
                }
            },
            invalidate: {
                set { $0.openPrompts.remove(number) }
                let waiting = context.withLock { context in
                    defer { context.waiting = nil }
                    context.isInvalid = true
                    return context.waiting
                }
                waiting?(AppleFailure(localAuthentication: .appCancel))
            })
    }

    private struct Context: Sendable {
        var isRecognised = false
        var isInvalid = false
        var waiting: (@Sendable (AppleFailure?) -> Void)?
    }

    private func perform(
        _ act: Act,
        in context: Shared<Context>,
        _ reply: @escaping @Sendable (AppleFailure?) -> Void
    ) {
        switch act {
        case .isRecognised:
            set { $0.mismatches = 0 }
            context.withLock { $0.isRecognised = true }
            reply(nil)
        case .isNotRecognised:
            set { $0.mismatches += 1 }
            reply(AppleFailure(localAuthentication: get(\.unavailability) ?? .authenticationFailed))
        case .cancels: reply(AppleFailure(localAuthentication: .userCancel))
        case .choosesPin: reply(AppleFailure(localAuthentication: .userFallback))
        case .isInterrupted: reply(AppleFailure(localAuthentication: .systemCancel))
        case .waits:
            let isInvalid = context.withLock { context in
                context.waiting = reply
                return context.isInvalid
            }
            waiting.continuation.yield()
            // It was taken away while it came up.
            if isInvalid { reply(AppleFailure(localAuthentication: .appCancel)) }
        }
    }

    private func failure() -> AppleFailure? {
        state.withLock { state in
            if !state.failures.isEmpty { return state.failures.removeFirst() }
            return state.isLocked ? AppleFailure(status: .interactionNotAllowed) : nil
        }
    }

    private func signingKey(
        _ representation: [UInt8],
        _ key: P256.Signing.PrivateKey,
        password: [UInt8]?
    ) -> EnclaveSigningKey {
        EnclaveSigningKey(representation: representation, publicKey: key.publicKey) { data throws(AppleFailure) in
            if let failure = failure() { throw failure }
            let known = state.withLock { $0.keys[representation] }
            guard case .signing(_, let right) = known else { throw AppleFailure(token: .objectNotFound) }
            guard right == password else { throw AppleFailure(localAuthentication: .authenticationFailed) }
            do {
                return [UInt8](try key.signature(for: data).rawRepresentation)
            } catch {
                throw AppleFailure(token: .communicationError)
            }
        }
    }

    private func password(of access: borrowing KeyAccess) -> [UInt8]? {
        switch access {
        case .unattended: nil
        case .applicationPassword(let password): unsafe password.withUnsafeBytes { bytes in unsafe Array(bytes) }
        }
    }

    private static func newRepresentation() -> [UInt8] {
        (0..<120).map { _ in UInt8.random(in: 0...255) }
    }
}

extension EnclaveModel.State {
    /// What `canEvaluatePolicy` fails with.
    var unavailability: LocalAuthenticationCode? {
        if !hasSensor || !isPermitted { return .biometryNotAvailable }
        if !hasPasscode { return .passcodeNotSet }
        if enrolment == nil { return .biometryNotEnrolled }
        return mismatches >= 5 ? .biometryLockout : nil
    }
}

/// An app on such a device.
struct AppleDevice: Sendable {
    let keychain: KeychainModel
    let model = EnclaveModel()

    init(_ system: KeychainModel.System = .iOS) {
        keychain = KeychainModel(system)
    }

    var keyring: SecureEnclaveBiometricKeyring {
        let calls = keychain.calls
        return SecureEnclaveBiometricKeyring(
            titles: BiometricPromptTitles(pin: "Enter PIN"), enclave: model.enclave, biometry: model.biometry
        ) { key in
            KeychainStore(
                service: "app", account: "biometrics.\(key.rawValue)", accessibility: .whenPasscodeSet, calls: calls)
        }
    }

    var keys: SecureEnclaveKeys {
        let calls = keychain.calls
        return SecureEnclaveKeys(calls: model.enclave) { tag in
            KeychainStore(service: "app", account: "device-key.\(tag.rawValue)", calls: calls)
        }
    }

    var store: KeychainStore { KeychainStore(service: "app", account: "vault", calls: keychain.calls) }
}
