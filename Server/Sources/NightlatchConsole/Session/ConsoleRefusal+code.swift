import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRefusal {
    /// The code in the audit log and in the metrics.
    var code: ProblemCode {
        switch self {
        case .signedOut, .sessionEnded, .signInEnded: .consoleSessionRefused
        case .adminKeyRefused: .adminKeyRefused
        case .formRefused: .consoleFormRefused
        case .noOperator: .noOperator
        case .roleMissing: .operatorRoleMissing
        case .operatorRefused: .operatorChangeRefused
        case .deviceNameRefused, .reasonMissing: .malformedRequest
        case .deviceRevoked: .deviceRevoked
        case .refused(let refusal): refusal.code
        case .unreadable(let refusal): RefusalAnswer(refusal).code
        }
    }

    /// Whether the refusal is audited because it may be an attack.
    ///
    /// A change to a device that was already revoked is no attack. A request without a session only leads to the
    /// sign-in page.
    var isAudited: Bool {
        switch self {
        case .sessionEnded, .adminKeyRefused, .formRefused, .noOperator, .roleMissing: true
        case .signedOut, .signInEnded, .deviceNameRefused, .reasonMissing, .operatorRefused, .deviceRevoked, .unreadable: false
        case .refused(let refusal): refusal.isAudited
        }
    }
}
