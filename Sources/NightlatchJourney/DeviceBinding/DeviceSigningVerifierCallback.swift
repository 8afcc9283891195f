public import Nightlatch
internal import NightlatchWire

/// A request of the server to sign a challenge with a key that is bound to a user.
///
/// ```swift
/// let result = await callback.sign { config in
///     config.claims = ["amount": "100.00", "recipient": "Night Train Ltd", "currency": "EUR"]
/// }
/// node = await step.next()
/// ```
public final class DeviceSigningVerifierCallback: StatefulCallback {
    let state: CallbackState
    private let binding: CallbackBinding
    private let lastFailure = Locked<UserKeyError?>(nil)

    init(_ state: CallbackState, _ binding: CallbackBinding) {
        self.state = state
        self.binding = binding
    }

    /// The user of the key. Nil if the server does not know the user yet.
    public var userId: String? {
        guard let user = state.output("userId")?.string, !user.isEmpty else { return nil }
        return user
    }
    /// The text to sign. It can be any text.
    public var challenge: String { state.output("challenge")?.string ?? "" }
    public var title: String { state.output("title")?.string ?? "" }
    public var subtitle: String { state.output("subtitle")?.string ?? "" }
    public var description: String { state.output("description")?.string ?? "" }
    /// The server's timeout, in seconds.
    public var timeout: Int { state.timeout(else: 30) }

    /// The full reason why the last call of ``sign(config:)`` signed nothing. Nil after a success, or if the reason is
    /// not about a key.
    public var failure: UserKeyError? { lastFailure.withLock { $0 } }

    /// Finds the user's key, authenticates the user, signs the server's challenge and fills in the callback.
    ///
    /// It first checks the app's claims. If the user has no key, no other user's key signs. If the server names no
    /// user, the device's only key signs, or the key that the user selects. After an error, the callback contains the
    /// reason for the server (``DeviceBindingStatus/clientError``), so that the journey can lead to a binding. Call
    /// ``ContinueNode/next()`` in either case.
    ///
    /// - Parameter configure: Changes the settings of this call.
    /// - Returns: The callback's JSON, or a ``DeviceBindingStatus``.
    @discardableResult
    public func sign(
        config configure: (DeviceBindingConfig) -> Void = { _ in }
    ) async -> Result<[String: Any], any Error> {
        state.signedKey = nil
        let isComplete = state.setInputs(["jws": "", "clientError": ""])
        var logger = binding.logger
        do throws(CallbackProblem) {
            guard isComplete else { throw .incomplete }
            try await signChallenge(configure, &logger)
            lastFailure.withLock { $0 = nil }
            return .success(json)
        } catch {
            let status = error.status
            lastFailure.withLock { $0 = error.keyError }
            state.setInputs(["clientError": status.clientError])
            logger?.w("the device did not sign", error: status)
            return .failure(status)
        }
    }

    /// Signs with the settings of an authenticator. The key keeps its own protection.
    @discardableResult
    public func sign(authenticator: any DeviceAuthenticator) async -> Result<[String: Any], any Error> {
        await sign { $0.deviceAuthenticator = authenticator }
    }

    /// Sets the signed message. For programs that sign themselves.
    public func setJws(_ jws: String) {
        state.signedKey = nil
        state.setInputs(["jws": jws])
    }

    /// Reports another reason to the server than those of ``DeviceBindingStatus/clientError``. The server's journey
    /// must have an outcome for it.
    public func setClientError(_ reason: String) {
        state.signedKey = nil
        state.setInputs(["jws": "", "clientError": reason])
    }

    private func signChallenge(
        _ configure: (DeviceBindingConfig) -> Void,
        _ logger: inout (any JourneyLogger)?
    ) async throws(CallbackProblem) {
        guard let environment = binding.environment else {
            throw .status(.unsupported(errorMessage: "Device binding is not set up."))
        }
        guard !challenge.isEmpty else { throw .incomplete }
        let config = DeviceBindingConfig(
            deviceName: environment.deviceName, now: environment.now, userInterface: environment.userInterface)
        config.timeout = timeout
        configure(config)
        let claims: CustomClaims
        do {
            claims = try CustomClaims(config.claims)
        } catch {
            throw .status(.invalidCustomClaims)
        }
        let authenticator = config.deviceAuthenticator?.config ?? config.authenticatorConfig
        logger = authenticator?.logger ?? logger
        config.warnAboutStorage(logger)
        guard config.apply(config.deviceAuthenticator, state.prompt, environment) else {
            throw .status(.invalidCustomClaims)
        }
        let deadline = UserKeyDeadline(in: .seconds(config.boundedTimeout), by: environment.clock)
        let message = BindingMessage(
            config, environment, challenge: challenge, claims: claims, introducesKey: false)
        var person = ScreenPerson(
            state.prompt, authenticator, config: config, environment: environment, deadline: deadline)
        person.toSign = (challenge, claims)
        let signed: SignedByUserKey
        do {
            signed = try await environment.keys.sign(
                for: userId, at: binding.server, person: person, deadline: deadline, message: message.signingInput)
        } catch {
            throw .key(error)
        }
        state.signedKey = signed.key.tag
        state.setInputs(["jws": BindingMessage.compact(signed)])
    }
}
