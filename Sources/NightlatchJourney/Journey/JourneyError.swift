public import Nightlatch

/// The reason why a step of a journey has no valid answer of the server, or why the server refused a request.
public enum JourneyError: Error, Hashable, Sendable {
    /// The journey has no server, or one that is not `https`, or no transport. Nothing was sent.
    case notConfigured
    /// There was no answer. The server may have accepted the step; start the journey again.
    case transport(HTTPTransportError)
    /// The answer is not in the server's format. It comes from a proxy, or the server has a defect.
    case unintelligible(status: Int)
    /// The server failed. It may have accepted the step; start the journey again.
    ///
    /// With 429 it did not accept the step, because there were too many requests. Call ``ContinueNode/next()`` again
    /// later.
    case serverFailed(status: Int)
    /// Another call has removed a key that this step was to bind. Nothing was sent, and the step may be sent again.
    case keySuperseded
    /// The registry of keys could not be read or written.
    ///
    /// Nothing was sent, and the step may be sent again. From ``BoundDevices/delete(_:)``, this error and the next four
    /// mean that the server deleted the device but its key here could not be removed.
    case keyRegistry(RegistryError)
    /// The device's key could not be removed.
    case key(DeviceKeyError)
    /// The vault that protects the key could not be erased.
    case keyVault(VaultError)
    /// The biometric key that protects the key could not be removed.
    case keyBiometrics(BiometricError)
    /// The app provides no keyring for the biometrics that protect the key.
    case keyUnsupported
    /// The step was sent before, and it binds or signs. Nothing was sent. Start the journey again.
    case alreadyAnswered
    /// There is no session to use or end. Nothing was sent.
    case noSession
    /// The server refused, with its own message.
    case refused(status: Int, message: String)
}

extension JourneyError {
    /// Whether the server certainly did not accept the step, because nothing was sent or the server was too busy.
    ///
    /// The same step can then be sent again with ``ContinueNode/next()``, even if it binds or signs.
    public var leavesStepOpen: Bool {
        switch self {
        case .notConfigured, .keySuperseded, .keyRegistry, .key, .keyVault, .keyBiometrics, .keyUnsupported,
            .serverFailed(status: 429):
            true
        case .transport, .unintelligible, .serverFailed, .alreadyAnswered, .noSession, .refused: false
        }
    }
}

extension JourneyError {
    /// Converts an error of recording that keys are offered, or of removing them.
    init(_ error: UserKeyError) {
        switch error {
        case .registry(let error): self = .keyRegistry(error)
        case .key(let error): self = .key(error)
        case .vault(let error): self = .keyVault(error)
        case .biometrics(let error): self = .keyBiometrics(error)
        case .unsupported: self = .keyUnsupported
        // The other errors happen only while a user is asked.
        case .noKey, .superseded, .cancelled, .timedOut, .wrongPin, .pinWaiting, .pinBlocked, .pinRefused, .noPin,
            .tooManyKeys, .textTooLong:
            self = .keySuperseded
        }
    }
}
