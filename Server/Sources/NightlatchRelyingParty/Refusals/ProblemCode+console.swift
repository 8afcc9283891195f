package import NightlatchWire

/// Of refusals that only people at the console meet: no program is ever told them. The audit log and the metrics have
/// them.
extension ProblemCode {
    package static let adminKeyRefused = Self(rawValue: "admin_key_refused")
    package static let consoleSessionRefused = Self(rawValue: "console_session_refused")
    package static let consoleFormRefused = Self(rawValue: "console_form_refused")

    static let ofConsole: [Self] = [.adminKeyRefused, .consoleSessionRefused, .consoleFormRefused]
}
