internal import Foundation
internal import Nightlatch
internal import NightlatchWire

extension CallbackState {
    /// The server's texts for the user.
    var prompt: Prompt {
        Prompt(
            title: output("title")?.string ?? "", subtitle: output("subtitle")?.string ?? "",
            description: output("description")?.string ?? "")
    }

    /// The server's timeout in seconds, at most a day.
    func timeout(else missing: Int) -> Int {
        guard let seconds = output("timeout")?.integer, seconds > 0 else { return missing }
        return min(seconds, DeviceBindingConfig.longestTimeout)
    }
}

extension DeviceBindingConfig {
    fileprivate static let longestTimeout = 24 * 60 * 60

    /// The timeout in seconds, at least one and at most a day.
    var boundedTimeout: Int { max(1, min(timeout, Self.longestTimeout)) }

    /// Lets a program's own authenticator see the prompt, set the times that the app has not set, and check the claims.
    ///
    /// - Returns: Whether the claims may be signed.
    func apply(
        _ authenticator: (any DeviceAuthenticator)?,
        _ prompt: Prompt,
        _ environment: DeviceBindingEnvironment
    ) -> Bool {
        guard let custom = authenticator as? DefaultDeviceAuthenticator else { return true }
        custom.now = environment.now
        custom.setPrompt(prompt)
        if !isIssueTimeChosen { issueTime = custom.issueTime }
        if !isNotBeforeTimeChosen { notBeforeTime = custom.notBeforeTime }
        return custom.validateCustomClaims(claims)
    }

    func warnAboutStorage(_ logger: (any JourneyLogger)?) {
        guard userKeyStorage.isChosen else { return }
        logger?.w("userKeyStorage is not used: keys are in the environment's registry", error: nil)
    }
}

extension BindingMessage {
    init(
        _ config: DeviceBindingConfig,
        _ environment: DeviceBindingEnvironment,
        challenge: String,
        claims: CustomClaims,
        introducesKey: Bool
    ) {
        self.init(
            applicationID: environment.applicationID, challenge: challenge,
            issuedAt: Self.moment(config.issueTime()), notBefore: Self.moment(config.notBeforeTime()),
            expiresAt: Self.moment(config.expirationTime(config.boundedTimeout)), customClaims: claims,
            introducesKey: introducesKey)
    }

    /// Limits a date of the app to the representable range. No server accepts dates that are so far away.
    private static func moment(_ date: Date) -> NumericDate {
        NumericDate(min(.distantFuture, max(.distantPast, date)))
    }
}

extension ScreenPerson {
    /// Creates the access to the user for one call.
    ///
    /// - Parameters:
    ///   - prompt: The server's texts.
    ///   - authenticator: The settings of the authenticator, if the app has any.
    ///   - config: The settings of the call.
    ///   - environment: The environment, with the default screens.
    ///   - deadline: The end of the time for the call.
    init(
        _ prompt: Prompt,
        _ authenticator: (any AuthenticatorConfig)?,
        config: DeviceBindingConfig,
        environment: DeviceBindingEnvironment,
        deadline: UserKeyDeadline
    ) {
        let pin = authenticator as? AppPinConfig
        self.init(
            prompt: prompt, pinPrompt: pin.flatMap { $0.prompt.isEmpty ? nil : $0.prompt } ?? prompt,
            pinTries: pin?.pinRetry ?? AppPinConfig.defaultPinRetry,
            collector: config.pinCollector ?? pin?.pinCollector, selector: config.chosenKeySelector,
            userInterface: environment.userInterface, deadline: deadline)
    }
}
