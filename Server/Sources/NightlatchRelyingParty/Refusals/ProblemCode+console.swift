package import NightlatchWire

/// The problem codes of refusals in the console.
///
/// Programs never receive them; they occur in the audit log and in the metrics.
extension ProblemCode {
    package static let adminKeyRefused = Self(rawValue: "admin_key_refused")
    package static let consoleSessionRefused = Self(rawValue: "console_session_refused")
    package static let consoleFormRefused = Self(rawValue: "console_form_refused")
    /// A user who is no operator has confirmed a sign-in.
    package static let noOperator = Self(rawValue: "no_operator")
    package static let operatorRoleMissing = Self(rawValue: "operator_role_missing")
    package static let operatorChangeRefused = Self(rawValue: "operator_change_refused")

    static let ofConsole: [Self] = [
        .adminKeyRefused, .consoleSessionRefused, .consoleFormRefused, .noOperator, .operatorRoleMissing,
        .operatorChangeRefused,
    ]
}
