import NightlatchRelyingParty
import NightlatchWire

extension ConsoleRefusal {
    /// The word for it in the audit log and in the metrics.
    var code: ProblemCode {
        switch self {
        case .signedOut, .sessionEnded: .consoleSessionRefused
        case .adminKeyRefused: .adminKeyRefused
        case .formRefused: .consoleFormRefused
        case .deviceNameRefused: .malformedRequest
        case .deviceRevoked: .deviceRevoked
        case .refused(let refusal): refusal.code
        case .unreadable(let refusal): RefusalAnswer(refusal).code
        }
    }

    /// Whether somebody may have tried what was not theirs to do. An operator who comes too late has not, and who has no session yet is
    /// only shown where to sign in.
    var isAudited: Bool {
        switch self {
        case .sessionEnded, .adminKeyRefused, .formRefused: true
        case .signedOut, .deviceNameRefused, .deviceRevoked, .unreadable: false
        case .refused(let refusal): refusal.isAudited
        }
    }
}
