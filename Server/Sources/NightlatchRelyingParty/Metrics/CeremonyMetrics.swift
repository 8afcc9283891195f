package import Metrics
package import NightlatchWire

/// The counters of refusals and of completed ceremonies.
package enum CeremonyMetrics {
    private static let refusals: [ProblemCode: Counter] = Dictionary(
        uniqueKeysWithValues: (ProblemCode.all + ProblemCode.ofConsole + ProblemCode.ofOpenID).map {
            ($0, Counter(.refusals, [("code", $0.rawValue)]))
        })

    static let logins = Counter(.ceremonies, [("ceremony", "login")])
    static let refreshes = Counter(.ceremonies, [("ceremony", "refresh")])
    static let bindings = Counter(.ceremonies, [("ceremony", "binding")])
    static let confirmations = Counter(.ceremonies, [("ceremony", "confirmation")])
    package static let journeys = Counter(.ceremonies, [("ceremony", "journey")])
    static let rejections = Counter(.ceremonies, [("ceremony", "rejection")])
    static let pinEvaluations = Counter(.ceremonies, [("ceremony", "pin_evaluation")])
    static let pinProofs = Counter(.ceremonies, [("ceremony", "pin_proof")])
    static let pinPromotions = Counter(.ceremonies, [("ceremony", "pin_promotion")])

    static let bindingChallenges = Counter(.challenges, [("purpose", "binding")])
    static let loginChallenges = Counter(.challenges, [("purpose", "login")])
    static let decisionChallenges = Counter(.challenges, [("purpose", "decision")])

    package static func refused(_ code: ProblemCode) { refusals[code]?.increment() }

    /// Creates all counters, so that each is exported as 0 before its first event: an alarm on an increase then sees
    /// the first event.
    package static func prepare() {
        _ = refusals
        _ = [
            logins, refreshes, bindings, confirmations, rejections, journeys, bindingChallenges, loginChallenges,
            decisionChallenges, pinEvaluations, pinProofs, pinPromotions,
        ]
    }
}
