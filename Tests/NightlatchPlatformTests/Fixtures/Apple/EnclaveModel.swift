import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting

/// A device with a Secure Enclave, a sensor and a person, in memory, with the error codes of LocalAuthentication as documented. Copies of
/// the value are processes of the same device.
///
/// What the device does follows from the access control that a key was made with and from what its contexts were told. Where the real one
/// would take what makes no sense, or ask a person something that they cannot answer, this one refuses with `errSecParam`.
struct EnclaveModel: Sendable {
    /// What the person does at a prompt.
    enum Act: Hashable, Sendable {
        /// Shows the face or finger that is enrolled; where that is of no use and the passcode is taken, gives the passcode.
        case isRecognised
        /// A face or finger that is not enrolled. The fifth one in a row locks biometrics.
        case isNotRecognised
        case cancels
        /// Presses the button beside the biometrics. Where the passcode is taken it leads to that, and the person gives it.
        case choosesFallback
        /// The system takes the prompt away, as for a call.
        case isInterrupted
        /// Looks at the prompt until it is taken away.
        case waits
    }

    /// One prompt as it was shown.
    struct Shown: Hashable, Sendable {
        let policy: BiometryPolicy
        let reason: String
        let settings: ContextSettings
    }

    enum Key: Sendable {
        case signing(P256.Signing.PrivateKey, EnclaveAccessControl, password: [UInt8]?)
        /// For a person, of the enrolment.
        case agreement(P256.KeyAgreement.PrivateKey, EnclaveAccessControl, enrolment: Int?)
        /// For nobody but who has the password.
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
        /// A finger cannot reach the sensor.
        var isLidClosed = false
        var isPermitted = true
        var hasPasscode = true
        var enrolment: Int? = 1
        /// Whether the system tells the hash of the enrolment, and what it adds to it since its last update.
        var hashSalt: UInt8? = 0
        var isLocked = false
        var mismatches = 0
        /// With what `canEvaluatePolicy` fails whatever else there is.
        var evaluation: AppleFailure?
        var acts: [Act] = []
        var shown: [Shown] = []
        var keys: [[UInt8]: Key] = [:]
        /// With what the chip refuses a key whose enrolment is gone. No documentation says.
        var goneKeyFailure = AppleFailure(token: .objectNotFound)
        /// Whether the chip is broken, so that a key for agreement serves without its password.
        var ignoresPasswords = false
        /// With what the chip refuses whatever comes next.
        var failures: [AppleFailure] = []
        /// What would have ended the app, or led the person astray.
        var faults: [String] = []
        /// Contexts, of prompts and of keys, that were not invalidated yet.
        var openContexts: Set<Int> = []
        var contextCount = 0
    }

    let state = Shared(State())
    let waiting = AsyncStream.makeStream(of: Void.self)

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
    func get<Value>(_ property: KeyPath<State, Value>) -> Value { state.withLock { $0[keyPath: property] } }

    /// Returns once a prompt is there that the person only looks at.
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

    /// What the chip fails with whatever it is asked.
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
    /// What `canEvaluatePolicy` fails with.
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
