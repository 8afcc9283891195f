import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting

/// A model, in memory, of a device with a Secure Enclave, a sensor and a user, with the documented error codes of
/// LocalAuthentication. Copies of the value are processes of the same device.
///
/// The device's behaviour depends on the access control of its keys and on the settings of its contexts. The model is
/// stricter than the real device: it refuses with `errSecParam` a call that makes no sense, or a prompt that a user
/// cannot answer.
struct EnclaveModel: Sendable {
    /// The action of the user at a prompt.
    enum Act: Hashable, Sendable {
        /// Shows the enrolled face or finger. If biometrics are unavailable and the passcode is accepted, enters the
        /// passcode.
        case isRecognised
        /// Shows a face or finger that is not enrolled. The fifth one in a row locks biometrics.
        case isNotRecognised
        case cancels
        /// Presses the fallback button of the prompt. If the passcode is accepted, the button leads to it, and the user
        /// enters it.
        case choosesFallback
        /// The system removes the prompt, as for a phone call.
        case isInterrupted
        /// Looks at the prompt until it is removed.
        case waits
    }

    /// A prompt as it was shown.
    struct Shown: Hashable, Sendable {
        let policy: BiometryPolicy
        let reason: String
        let settings: ContextSettings
    }

    enum Key: Sendable {
        case signing(P256.Signing.PrivateKey, EnclaveAccessControl, password: [UInt8]?)
        /// A key that requires a user, for an enrolment.
        case agreement(P256.KeyAgreement.PrivateKey, EnclaveAccessControl, enrolment: Int?)
        /// A key that requires its password and no user.
        case silentAgreement(P256.KeyAgreement.PrivateKey, EnclaveAccessControl, password: [UInt8]?)

        var control: EnclaveAccessControl {
            switch self {
            case .signing(_, let control, password: _), .agreement(_, let control, enrolment: _),
                .silentAgreement(_, let control, password: _):
                control
            }
        }
    }

    struct State: Sendable {
        var hasEnclave = true
        var sensor = BiometrySensor.faceID
        /// With a closed lid, a finger cannot reach the sensor.
        var isLidClosed = false
        var isPermitted = true
        var hasPasscode = true
        var enrolment: Int? = 1
        /// The byte that the system puts before the hash of the enrolment, different after an update; nil if the system
        /// gives no hash.
        var hashSalt: UInt8? = 0
        var isLocked = false
        var mismatches = 0
        /// An error of `canEvaluatePolicy` that precedes every other.
        var evaluation: AppleFailure?
        var acts: [Act] = []
        var shown: [Shown] = []
        var keys: [[UInt8]: Key] = [:]
        /// The chip's error for a key whose enrolment is gone. It is not documented.
        var goneKeyFailure = AppleFailure(token: .objectNotFound)
        /// Whether the chip is broken, so that a key for agreement works without its password.
        var ignoresPasswords = false
        /// The chip's errors for the next calls.
        var failures: [AppleFailure] = []
        /// Calls that would have ended a real app, or misled the user.
        var faults: [String] = []
        /// Contexts, of prompts and of keys, that were not yet invalidated.
        var openContexts: Set<Int> = []
        var contextCount = 0
    }

    let state = Shared(State())
    let waiting = AsyncStream.makeStream(of: Void.self)

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
    func get<Value>(_ property: KeyPath<State, Value>) -> Value { state.withLock { $0[keyPath: property] } }

    /// Returns once there is a prompt that the user only looks at.
    func waitForPrompt() async {
        for await _ in waiting.stream { return }
    }

    func openContext() -> Int {
        state.withLock { state in
            state.contextCount += 1
            state.openContexts.insert(state.contextCount)
            return state.contextCount
        }
    }

    /// The chip's error for any call, if there is one.
    func failure() -> AppleFailure? {
        state.withLock { state in
            if !state.failures.isEmpty { return state.failures.removeFirst() }
            return state.isLocked ? AppleFailure(status: .interactionNotAllowed) : nil
        }
    }

    static func newRepresentation() -> [UInt8] {
        (0..<120).map { _ in UInt8.random(in: 0...255) }
    }
}

extension EnclaveModel.State {
    /// The error of `canEvaluatePolicy`, if there is one.
    func unavailability(_ policy: BiometryPolicy) -> AppleFailure? {
        if let evaluation { return evaluation }
        let code: LocalAuthenticationCode? =
            switch policy {
            case .deviceOwnerAuthenticationWithBiometrics: biometricUnavailability
            case .deviceOwnerAuthentication: hasPasscode ? nil : .passcodeNotSet
            }
        return code.map { AppleFailure(localAuthentication: $0) }
    }

    var biometricUnavailability: LocalAuthenticationCode? {
        if sensor == .none || !isPermitted || isLidClosed { return .biometryNotAvailable }
        if !hasPasscode { return .passcodeNotSet }
        if enrolment == nil { return .biometryNotEnrolled }
        return mismatches >= 5 ? .biometryLockout : nil
    }
}
