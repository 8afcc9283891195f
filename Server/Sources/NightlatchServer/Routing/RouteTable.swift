package import HTTPTypes
import Hummingbird
package import Logging
import NightlatchRelyingParty

/// The table of all routes.
///
/// If a path does not support a request's method, the refusal lists the supported methods
/// ([RFC 9110, section 15.5.6](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6)).
package final class RouteTable {
    /// A path, in the spelling of its first route.
    private struct Place {
        let path: RouterPath
        let stepsOfOtherMethods: [any RouteStep]
        var routes: [HTTPRequest.Method: Route] = [:]
    }

    private struct Route {
        let steps: [any RouteStep]
        let lineLimit: AddressLimit?
        let answer: Endpoint.Answering
    }

    /// The step that every request passes first, even if no route matches.
    private let first: any RouteStep
    /// The steps for requests that match no route or use an unsupported method: ``first``, then a limit.
    private let stepsOfOthers: [any RouteStep]
    private let isSecure: Bool
    private var places: [String: Place] = [:]
    /// The steps for requests that match no route, by path prefix.
    private var unserved: [(start: String, steps: [any RouteStep])] = []

    /// The methods of each path. In a path, `{name}` is a parameter.
    package var methods: [String: Set<HTTPRequest.Method>] { places.mapValues { Set($0.routes.keys) } }

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - first: The step that every request passes first.
    ///   - limit: The step that follows for requests that match no route; nil for none.
    ///   - isSecure: Whether the issuer is an https URL. Answers then tell browsers to use only https.
    package init(_ first: some RouteStep, limitingOthersBy limit: (any RouteStep)? = nil, isSecure: Bool = false) {
        self.first = first
        self.isSecure = isSecure
        stepsOfOthers = [first] + (limit.map { [$0] } ?? [])
    }

    /// The group of all routes.
    package var root: RouteGroup { RouteGroup(table: self, steps: [first], stepsOfOtherMethods: stepsOfOthers) }

    /// Adds a route.
    ///
    /// - Precondition: The path has no route with this method yet.
    func add(
        _ method: HTTPRequest.Method,
        path: RouterPath,
        of group: RouteGroup,
        answer: @escaping Endpoint.Answering
    ) {
        var place =
            places[path.description] ?? Place(path: path, stepsOfOtherMethods: group.stepsOfOtherMethods)
        precondition(place.routes[method] == nil, "another route already serves \(method) \(path)")
        place.routes[method] = Route(steps: group.steps, lineLimit: group.lineLimit, answer: answer)
        places[path.description] = place
    }

    /// Applies the steps of `group` to requests that match no route and whose path begins with the component or
    /// components `start`. These steps limit the requests and turn refusals into answers.
    func addUnserved(under start: String, of group: RouteGroup) {
        unserved.append((start, group.steps))
    }

    /// Builds the responder for all requests.
    ///
    /// Every request is counted for its route and logged by `logger`. A request that a limit refuses is not logged, but
    /// counted in `limitLog`. Answers beyond the limit of an address or an account are delayed by `limitDelay`.
    package func buildResponder(
        logger: Logger,
        limitLog: LimitLog,
        limitDelay: AnswerDelay
    ) -> RouteResponder {
        let metrics = RequestMetrics(methods: methods)
        func log(_ route: String, _ counted: RouteMetrics) -> RequestLog {
            RequestLog(
                route: route, logger: logger, limitLog: limitLog, metrics: metrics, counted: counted,
                isSecure: isSecure)
        }
        let router = Router(context: RelyingPartyRequestContext.self, options: .autoGenerateHeadEndpoints)
        var plain: [String: [HTTPRequest.Method: Endpoint]] = [:]
        for (name, place) in places {
            var endpoints: [HTTPRequest.Method: Endpoint] = [:]
            for (method, route) in place.routes {
                endpoints[method] = Endpoint(
                    log: log(name, metrics.route(name, method)), steps: route.steps, lineLimit: route.lineLimit,
                    limitDelay: limitDelay, answer: route.answer)
            }
            let served = endpoints[.get] == nil ? Set(endpoints.keys) : Set(endpoints.keys).union([.head])
            let allowed = served.map(\.rawValue).sorted().joined(separator: ", ")
            for method in HTTPRequest.Method.registered where !served.contains(method) {
                endpoints[method] = Endpoint(
                    log: log(name, metrics.others), steps: place.stepsOfOtherMethods, limitDelay: limitDelay
                ) { _, _ in throw HTTPRefusal.methodNotAllowed(allowed: allowed) }
            }
            for (method, endpoint) in endpoints { router.on(place.path, method: method, responder: endpoint) }
            if place.path.isPlain { plain[name] = endpoints }
        }
        func others(_ steps: [any RouteStep]) -> Endpoint {
            Endpoint(log: log("other", metrics.others), steps: steps, limitDelay: limitDelay) { _, _ in
                throw Refusal.notFound
            }
        }
        // Added after all routes, so it gets only requests that match none of them.
        router.add(
            middleware: Others(endpoint: others(stepsOfOthers), under: unserved.map { (Array($0.utf8), others($1)) }))
        return RouteResponder(plain: plain, router: router.buildResponder())
    }
}

/// Answers requests that match no route, before the router does.
private struct Others: RouterMiddleware {
    let endpoint: Endpoint
    /// The endpoints of paths that begin with one of these prefixes.
    let under: [(start: [UInt8], endpoint: Endpoint)]

    func handle(
        _ request: Request,
        context: RelyingPartyRequestContext,
        next: @concurrent (Request, RelyingPartyRequestContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path.utf8
        let special = under.first { start, _ in
            path.starts(with: start) && [nil, UInt8(ascii: "/")].contains(path.dropFirst(start.count).first)
        }
        return await (special?.endpoint ?? endpoint).respond(to: request, context: context)
    }
}

extension RouterPath {
    /// Whether the path has no parameters and no wildcards.
    fileprivate var isPlain: Bool {
        !description.contains { "{*".contains($0) }
    }
}

extension HTTPRequest.Method {
    /// The registered methods. A request with any other method is refused like a request that matches no route.
    fileprivate static let registered: [Self] =
        [.get, .head, .post, .put, .delete, .patch, .options, .trace, .connect] + [Self("QUERY")].compactMap { $0 }
}
