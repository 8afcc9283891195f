internal import Foundation
internal import Nightlatch
internal import NightlatchWire

extension CallbackState {
    /// The server's words, which the person is shown.
    var prompt: Prompt {
        Prompt(
            title: output("title")?.string ?? "", subtitle: output("subtitle")?.string ?? "",
            description: output("description")?.string ?? "")
    }

    /// The seconds that the server gives, at most a day.
    func timeout(else missing: Int) -> Int {
        guard let seconds = output("timeout")?.integer, seconds > 0 else { return missing }
        return min(seconds, 24 * 60 * 60)
    }
}

extension BindingMessage {
    init(
        _ config: DeviceBindingConfig,
        _ environment: DeviceBindingEnvironment,
        challenge: String,
        timeout: Int,
        claims: CustomClaims,
        introducesKey: Bool
    ) {
        self.init(
            applicationID: environment.applicationID, challenge: challenge,
            issuedAt: Self.moment(config.issueTime()), notBefore: Self.moment(config.notBeforeTime()),
            expiresAt: Self.moment(config.expirationTime(timeout)), customClaims: claims, introducesKey: introducesKey)
    }

    /// What an app gives may be no moment that has a number. No server takes what is so far away.
    private static func moment(_ date: Date) -> NumericDate {
        NumericDate(min(.distantFuture, max(.distantPast, date)))
    }
}

extension ScreenPerson {
    /// - Parameters:
    ///   - prompt: The server's words.
    ///   - authenticator: How the authenticator is to behave, if the app says.
    ///   - config: What else the app says.
    ///   - environment: Who asks otherwise.
    ///   - deadline: Until when.
    init(
        _ prompt: Prompt,
        _ authenticator: (any AuthenticatorConfig)?,
        config: DeviceBindingConfig,
        environment: DeviceBindingEnvironment,
        deadline: UserKeyDeadline
    ) {
        let pin = authenticator as? AppPinConfig
        self.init(
            prompt: prompt, pinPrompt: pin?.prompt ?? prompt, pinTries: pin?.pinRetry ?? AppPinConfig.defaultPinRetry,
            collector: config.pinCollector ?? pin?.pinCollector, selector: config.userKeySelector,
            userInterface: environment.userInterface, deadline: deadline)
    }
}
