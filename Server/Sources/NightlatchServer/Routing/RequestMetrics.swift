import HTTPTypes
import Metrics
import NightlatchRelyingParty

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
