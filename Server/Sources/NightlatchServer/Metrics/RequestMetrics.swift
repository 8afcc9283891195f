import HTTPTypes
import Metrics
import NightlatchWire

/// What is counted of requests. All counters are there before the first request: none is looked for under a lock.
struct RequestMetrics: Sendable {
    private let routes: [String: [HTTPRequest.Method: RouteMetrics]]
    /// Of requests for what is not served.
    let others: RouteMetrics
    let underway = Meter(label: MetricName.requestsUnderway.rawValue)

    /// - Parameter methods: What is served: the methods of each path.
    init(methods: [String: Set<HTTPRequest.Method>]) {
        others = RouteMetrics(route: "other", method: "other")
        routes = methods.reduce(into: [:]) { routes, path in
            for method in path.value {
                routes[path.key, default: [:]][method] = RouteMetrics(route: path.key, method: method.rawValue)
            }
        }
    }

    /// The counters of a route.
    func route(_ path: String, _ method: HTTPRequest.Method) -> RouteMetrics { routes[path]?[method] ?? others }
}

/// What is counted of one route.
struct RouteMetrics: Sendable {
    private let byStatusClass: [Counter]
    private let duration: Metrics.Timer

    init(route: String, method: String) {
        byStatusClass = (1...5).map { digit in
            Counter(.requests, [("route", route), ("method", method), ("status", "\(digit)xx")])
        }
        duration = Metrics.Timer(.requestSeconds, [("route", route), ("method", method)])
    }

    func record(status: Int, since start: ContinuousClock.Instant) {
        byStatusClass[min(max(status / 100, 1), 5) - 1].increment()
        duration.record(since: start)
    }
}

/// What is counted of refusals and of ceremonies that came to their end.
enum CeremonyMetrics {
    private static let refusals: [ProblemCode: Counter] = Dictionary(
        uniqueKeysWithValues: (ProblemCode.all + ProblemCode.ofConsole).map {
            ($0, Counter(.refusals, [("code", $0.rawValue)]))
        })

    static let logins = Counter(.ceremonies, [("ceremony", "login")])
    static let refreshes = Counter(.ceremonies, [("ceremony", "refresh")])
    static let bindings = Counter(.ceremonies, [("ceremony", "binding")])
    static let confirmations = Counter(.ceremonies, [("ceremony", "confirmation")])
    static let journeys = Counter(.ceremonies, [("ceremony", "journey")])
    static let rejections = Counter(.ceremonies, [("ceremony", "rejection")])
    static let pinEvaluations = Counter(.ceremonies, [("ceremony", "pin_evaluation")])
    static let pinProofs = Counter(.ceremonies, [("ceremony", "pin_proof")])
    static let pinPromotions = Counter(.ceremonies, [("ceremony", "pin_promotion")])

    static let bindingChallenges = Counter(.challenges, [("purpose", "binding")])
    static let loginChallenges = Counter(.challenges, [("purpose", "login")])
    static let decisionChallenges = Counter(.challenges, [("purpose", "decision")])

    static func refused(_ code: ProblemCode) { refusals[code]?.increment() }

    /// Makes all counters, so that each is there with 0 before it counts for the first time: an alarm on a rise sees the first one.
    static func prepare() {
        _ = refusals
        _ = [
            logins, refreshes, bindings, confirmations, rejections, journeys, bindingChallenges, loginChallenges,
            decisionChallenges, pinEvaluations, pinProofs, pinPromotions,
        ]
    }
}
