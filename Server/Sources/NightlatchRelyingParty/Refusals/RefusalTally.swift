package import NightlatchWire
import Synchronization

/// How often requests were refused, by cause. Under attack a sum takes the place of thousands of entries, so that nobody can fill the
/// log by being refused.
package final class RefusalTally: Sendable {
    package init() {}

    private let counts = Mutex<[ProblemCode: Int]>([:])

    package func note(_ refusal: Refusal) {
        guard refusal.isAudited else { return }
        add(1, of: refusal.code)
    }

    /// What was noted since the last call, in the order of the codes.
    package func take() -> [(code: ProblemCode, count: Int)] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts.map { (code: $0.key, count: $0.value) }.sorted { $0.code.rawValue < $1.code.rawValue }
        }
    }

    /// Adds to what was noted, or adds again what could not be written down.
    package func add(_ count: Int, of code: ProblemCode) {
        counts.withLock { $0[code, default: 0] += count }
    }
}

extension Refusal {
    /// Whether somebody may have tried what was not theirs to do. Mistakes of form, lateness and this server's own troubles are for
    /// the log and the metrics alone.
    package var isAudited: Bool {
        switch self {
        case .backendKeyRefused, .enrolmentCodeRefused, .credentialsRefused, .challengeRefused, .challengeUsed,
            .messageRefused, .deviceKeyTaken, .deviceRevoked, .deviceReplaced, .deviceBlocked, .blockedByOperator,
            .accessTokenRefused, .refreshTokenRefused,
            .dpopProofRefused, .rateLimited, .transactionChanged, .pinDestroyed, .pinGuessUnknown:
            true
        case .malformed, .notFound, .challengeExpired,
            .tooManyDevices, .dpopNonceRequired,
            .overloaded, .transactionIDTaken, .addresseeUnknown, .tooManyTransactions, .expiryRefused,
            .transactionConfirmed, .transactionRejected, .transactionExpired, .transactionVoided, .messageExpired,
            .blindedElementRefused, .enrolmentCodeRequired, .pinNotEnrolled, .pinEpochPassed, .pinWindowPassed,
            .pinCandidateOpen, .localPinRefused, .store,
            .internalError:
            false
        }
    }
}
