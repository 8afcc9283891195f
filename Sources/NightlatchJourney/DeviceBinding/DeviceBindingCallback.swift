public import Nightlatch
internal import NightlatchWire

/// A request of the server to bind a key of this device to a user.
///
/// ```swift
/// let result = await callback.bind { config in
///     config.deviceName = "Alice’s phone"
///     config.pinCollector = PinScreen()
/// }
/// node = await step.next()
/// ```
public final class DeviceBindingCallback: StatefulCallback {
    let state: CallbackState
    private let binding: CallbackBinding
    private let lastFailure = Locked<UserKeyError?>(nil)

    init(_ state: CallbackState, _ binding: CallbackBinding) {
        self.state = state
        self.binding = binding
    }

    /// The user to bind the key to.
    public var userId: String { state.output("userId")?.string ?? "" }
    public var userName: String { state.output("username")?.string ?? "" }
    /// The requested protection of the key.
    public var deviceBindingAuthenticationType: DeviceBindingAuthenticationType {
        state.output("authenticationType")?.string.flatMap(DeviceBindingAuthenticationType.init) ?? .unknown
    }
    public var challenge: String { state.output("challenge")?.string ?? "" }
    public var title: String { state.output("title")?.string ?? "" }
    public var subtitle: String { state.output("subtitle")?.string ?? "" }
    public var description: String { state.output("description")?.string ?? "" }
    /// The server's timeout, in seconds.
    public var timeout: Int { state.timeout(else: 60) }
    public var attestation: Attestation {
        state.output("attestation")?.bool == true ? .challenge(challenge) : .none
    }

    /// The full reason why the last call of ``bind(config:)`` made no key. Nil after a success, or if the reason is not
    /// about a key.
    public var failure: UserKeyError? { lastFailure.withLock { $0 } }

    /// Makes a key, authenticates the user, signs the server's challenge and fills in the callback.
    ///
    /// Earlier keys are not changed. The new key is preferred after the journey succeeds. The old key is removed after
    /// the new one has signed in a later journey. If this journey fails, the new key is removed. After an error,
    /// nothing of this call remains, and the callback contains the reason for the server
    /// (``DeviceBindingStatus/clientError``). Call ``ContinueNode/next()`` in either case.
    ///
    /// - Parameter configure: Changes the settings of this call.
    /// - Returns: The callback's JSON, or a ``DeviceBindingStatus``.
    @discardableResult
    public func bind(
        config configure: (DeviceBindingConfig) -> Void = { _ in }
    ) async -> Result<[String: Any], any Error> {
        state.offeredKey = nil
        let isComplete = state.setInputs(["jws": "", "deviceName": "", "deviceId": "", "clientError": ""])
        var logger = binding.logger
        do throws(CallbackProblem) {
            guard isComplete else { throw .incomplete }
            try await offerKey(configure, &logger)
            lastFailure.withLock { $0 = nil }
            return .success(json)
        } catch {
            let status = error.status.whileBinding
            lastFailure.withLock { $0 = error.keyError }
            state.setInputs(["clientError": status.clientError])
            logger?.w("the device was not bound", error: status)
            return .failure(status)
        }
    }

    /// Sets the message with the new key. For programs that sign themselves.
    public func setJws(_ jws: String) {
        state.offeredKey = nil
        state.setInputs(["jws": jws])
    }

    /// Sets the server's identifier for the device.
    public func setDeviceId(_ deviceId: String) { state.setInputs(["deviceId": deviceId]) }

    /// Sets the device's name at the server.
    public func setDeviceName(_ deviceName: String) { state.setInputs(["deviceName": deviceName]) }

    /// Reports another reason to the server than those of ``DeviceBindingStatus/clientError``. The server's journey
    /// must have an outcome for it.
    public func setClientError(_ reason: String) {
        state.offeredKey = nil
        state.setInputs(["jws": "", "clientError": reason])
    }

    private func offerKey(
        _ configure: (DeviceBindingConfig) -> Void,
        _ logger: inout (any JourneyLogger)?
    ) async throws(CallbackProblem) {
        guard let environment = binding.environment else {
            throw .status(.unsupported(errorMessage: "Device binding is not set up."))
        }
        let type = deviceBindingAuthenticationType
        guard type != .unknown else {
            throw .status(.unsupported(errorMessage: "The server requests an unknown protection."))
        }
        guard !userId.isEmpty, !challenge.isEmpty else { throw .incomplete }
        let config = DeviceBindingConfig(
            deviceName: environment.deviceName, now: environment.now, userInterface: environment.userInterface)
        config.timeout = timeout
        config.attestation = attestation
        config.deviceBindingAuthenticationType = type
        configure(config)
        let claims: CustomClaims
        do {
            claims = try CustomClaims(config.claims)
        } catch {
            throw .status(.invalidCustomClaims)
        }
        let authenticator =
            config.deviceAuthenticator
            ?? config.deviceBindingAuthenticationType.authenticator(config.authenticatorConfig)
        let behaviour = authenticator?.config ?? config.authenticatorConfig
        logger = behaviour?.logger ?? logger
        config.warnAboutStorage(logger)
        guard let authenticator, let protection = authenticator.type().protection,
            authenticator.type().satisfies(type), authenticator.isSupported(attestation: config.attestation)
        else { throw .status(.unsupported(errorMessage: nil)) }
        guard config.apply(authenticator, state.prompt, environment) else { throw .status(.invalidCustomClaims) }
        let deadline = UserKeyDeadline(in: .seconds(config.boundedTimeout), by: environment.clock)
        let deviceName = config.deviceName
        let message = BindingMessage(
            config, environment, challenge: challenge, claims: claims, introducesKey: true)
        let request = UserKeyRequest(
            owner: UserKeyOwner(server: binding.server, user: userId), userName: userName, name: deviceName,
            label: behaviour?.keyTag, protection: protection,
            createdAt: message.issuedAt)
        let person = ScreenPerson(
            state.prompt, behaviour, config: config, environment: environment, deadline: deadline)
        let signed: SignedByUserKey
        do {
            signed = try await environment.keys.bind(
                request, person: person, deadline: deadline, message: message.signingInput)
        } catch {
            throw .key(error)
        }
        state.offeredKey = signed.key.tag
        state.setInputs([
            "jws": BindingMessage.compact(signed), "deviceName": deviceName, "deviceId": signed.deviceID,
        ])
    }
}
