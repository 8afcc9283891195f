public import NightlatchWire

extension LocalAuthService {
    /// Asks for biometrics or the PIN for this one decision on a remote login, and sends the decision.
    ///
    /// The user is asked as by ``decide(_:on:in:keys:clientID:reason:)``. Ask for the number first. If the login has
    /// already ended, or the number is missing, this throws before the user is asked for the PIN.
    ///
    /// ```swift
    /// let result = try await auth.decide(
    ///     .confirm, on: login, number: number, in: session, keys: keys, reason: "Log in to Night Bank")
    /// ```
    ///
    /// - Parameters:
    ///   - decision: The user's decision.
    ///   - login: The login that was shown.
    ///   - number: The number that the user entered to confirm a login with a number; otherwise nil.
    ///   - session: A session of the device that the vault's binding belongs to.
    ///   - keys: The device's keys.
    ///   - clientID: The app that bound the device.
    ///   - reason: The action to decide, in a sentence that the user sees; not empty.
    /// - Throws: ``DecisionError``, which says for each case whether the decision may have been recorded.
    public func decide(
        _ decision: TransactionDecision,
        on login: PendingRemoteLogin,
        number: RemoteLoginNumber?,
        in session: Session,
        keys: any DeviceKeys,
        clientID: ClientID = .default,
        reason: String
    ) async throws(DecisionError) -> TransactionResult {
        try await decide(
            RemoteLoginChoice(decision: decision, login: login, number: number), in: session, keys: keys,
            clientID: clientID, reason: reason)
    }
}
