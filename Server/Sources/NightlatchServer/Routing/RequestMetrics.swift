import HTTPTypes
import Metrics
import NightlatchRelyingParty

/// The counters of all routes. They are created at start, so a request needs no look-up under a lock.
struct RequestMetrics: Sendable {
    private let routes: [String: [HTTPRequest.Method: RouteMetrics]]
    /// The counters of requests that match no route.
    let others: RouteMetrics
    let underway = Meter(label: MetricName.requestsUnderway.rawValue)

    /// Creates the counters of all routes.
    ///
    /// - Parameter methods: The methods of each path that is served.
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

/// The counters of one route.
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
