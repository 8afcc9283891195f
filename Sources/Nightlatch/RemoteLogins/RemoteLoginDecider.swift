public import NightlatchWire

/// Signs the user's decisions on remote logins, and sends them.
///
/// It shows nothing itself, and signs only after the user's PIN or biometrics for this decision. Use it in an app that
/// asks for the PIN itself; ``LocalAuthService/decide(_:on:number:in:keys:clientID:reason:)`` asks for it.
///
/// ```swift
/// let decider = RemoteLoginDecider(vault: vault, keys: keys)
/// let pending = try await session.pendingRemoteLogins()
/// if pending.isLimitReached { await warn("Reject every login that you did not begin yourself.") }
/// for login in pending.logins {
///     switch await show(login.details) {
///     case .yes(let number, let pin): try await decider.confirm(login, number: number, in: session, pin: pin)
///     case .no(let pin): try await decider.reject(login, in: session, pin: pin)
///     case .later: continue
///     }
/// }
/// ```
///
/// The user reads the number on the login page and enters it here. The device does not know it. So a user who confirms
/// a login that an attacker has requested must guess the number, and a wrong number ends the login.
///
/// Every decision opens the vault again and then locks it, as with a ``TransactionDecider``.
///
/// After a crash at any point the login is either pending or decided: the next call reports a decided one
/// (``DecisionError/remoteLoginEnded``).
public struct RemoteLoginDecider: Sendable {
    private let signer: DecisionSigner

    /// Creates a decider.
    ///
    /// - Parameters:
    ///   - vault: The vault with the binding that the sessions belong to.
    ///   - keys: The device's keys.
    ///   - clientID: The app that bound the device.
    public init(vault: Vault, keys: any DeviceKeys, clientID: ClientID = .default) {
        signer = DecisionSigner(vault: vault, keys: keys, clientID: clientID)
    }

    /// Confirms `login`, after a PIN for this decision. A wrong PIN counts as an attempt, and decides nothing.
    ///
    /// - Parameters:
    ///   - login: The login that was shown.
    ///   - number: The number that the user entered; nil if `login` has none.
    ///   - session: A session of the device that the vault's binding belongs to.
    ///   - pin: The user's PIN.
    /// - Throws: ``DecisionError``. ``DecisionError/numberMissing`` and ``DecisionError/numberUnexpected`` come before
    ///   the PIN is tried. After ``DecisionError/numberWrong`` the login has ended, and the browser was not logged in.
    @discardableResult
    public func confirm(
        _ login: PendingRemoteLogin,
        number: RemoteLoginNumber?,
        in session: Session,
        pin: borrowing Pin
    ) async throws(DecisionError) -> DecisionReceipt {
        let choice = RemoteLoginChoice(decision: .confirm, login: login, number: number)
        return try await signer.decide(choice, in: session, pin: pin)
    }

    /// Rejects `login`, after a PIN for this decision.
    @discardableResult
    public func reject(
        _ login: PendingRemoteLogin,
        in session: Session,
        pin: borrowing Pin
    ) async throws(DecisionError) -> DecisionReceipt {
        let choice = RemoteLoginChoice(decision: .reject, login: login, number: nil)
        return try await signer.decide(choice, in: session, pin: pin)
    }

    /// Confirms `login`, after the user's biometrics for this decision.
    ///
    /// - Parameters:
    ///   - login: The login that was shown.
    ///   - number: The number that the user entered; nil if `login` has none.
    ///   - session: A session of the device that the vault's binding belongs to.
    ///   - biometricReason: The reason for the prompt, in a sentence that the system shows to the user. It must not
    ///     be empty.
    /// - Throws: ``DecisionError``. ``DecisionError/numberMissing`` and ``DecisionError/numberUnexpected`` come before
    ///   the user is asked. After ``DecisionError/numberWrong`` the login has ended, and the browser was not logged in.
    @discardableResult
    public func confirm(
        _ login: PendingRemoteLogin,
        number: RemoteLoginNumber?,
        in session: Session,
        biometricReason: String
    ) async throws(DecisionError) -> DecisionReceipt {
        let choice = RemoteLoginChoice(decision: .confirm, login: login, number: number)
        return try await signer.decide(choice, in: session, biometricReason: biometricReason)
    }

    /// Rejects `login`, after the user's biometrics for this decision.
    ///
    /// - Parameters:
    ///   - login: The login that was shown.
    ///   - session: A session of the device that the vault's binding belongs to.
    ///   - biometricReason: The reason for the prompt, in a sentence that the system shows to the user. It must not
    ///     be empty.
    @discardableResult
    public func reject(
        _ login: PendingRemoteLogin,
        in session: Session,
        biometricReason: String
    ) async throws(DecisionError) -> DecisionReceipt {
        let choice = RemoteLoginChoice(decision: .reject, login: login, number: nil)
        return try await signer.decide(choice, in: session, biometricReason: biometricReason)
    }
}
