package import NightlatchWire
import Synchronization

/// The number of refused requests by code.
///
/// Under attack, one sum replaces thousands of entries, so that an attacker cannot fill the audit log with refusals.
package final class RefusalTally: Sendable {
    package init() {}

    private let counts = Mutex<[ProblemCode: Int]>([:])

    package func note(_ refusal: Refusal) {
        guard refusal.isAudited else { return }
        add(1, of: refusal.code)
    }

    /// Returns the counts since the last call, in the order of the codes, and resets them.
    package func take() -> [(code: ProblemCode, count: Int)] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts.map { (code: $0.key, count: $0.value) }.sorted { $0.code.rawValue < $1.code.rawValue }
        }
    }

    /// Adds to a count, or adds back a count that could not be written to the audit log.
    package func add(_ count: Int, of code: ProblemCode) {
        counts.withLock { $0[code, default: 0] += count }
    }
}

extension Refusal {
    /// Whether the refusal may be due to an attack.
    ///
    /// Other refusals, such as those of malformed or late requests, appear only in the log and the metrics.
    package var isAudited: Bool {
        switch self {
        case .backendKeyRefused, .apiKeyScopeMissing, .appAuthenticationRefused, .redirectURIRefused, .codeRefused,
            .enrolmentCodeRefused,
            .credentialsRefused, .challengeRefused, .challengeUsed,
            .messageRefused, .deviceKeyTaken, .deviceRevoked, .deviceReplaced, .deviceBlocked, .blockedByOperator,
            .accessTokenRefused, .refreshTokenRefused,
            .dpopProofRefused, .rateLimited, .transactionChanged, .remoteLoginChanged, .pinDestroyed, .pinWaiting,
            .pinGuessUnknown:
            true
        case .malformed, .notFound, .appUnknown, .authorizationRefused, .scopeInsufficient, .challengeExpired,
            .tooManyDevices, .dpopNonceRequired,
            .overloaded, .transactionIDTaken, .addresseeUnknown, .tooManyTransactions, .appChanged, .tooManyApps,
            .apiKeyNameTaken, .tooManyAPIKeys, .deviceEnded, .policyChanged,
            .expiryRefused,
            .transactionConfirmed, .transactionRejected, .transactionExpired, .transactionVoided, .remoteLoginEnded,
            .messageExpired,
            .blindedElementRefused, .enrolmentCodeRequired, .pinNotEnrolled, .pinEpochPassed, .pinWindowPassed,
            .pinCandidateOpen, .localPinRefused, .store,
            .internalError:
            false
        }
    }
}
