package import HTTPTypes
import Hummingbird
package import Logging
import NightlatchRelyingParty

/// Knows what is served, so that a request by a method that a path does not have is told which it has
/// ([RFC 9110, section 15.5.6](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6)).
package final class RouteTable {
    /// A path, as its first route has it.
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

    /// What every request passes first, also one for what is not served.
    private let first: any RouteStep
    /// What requests for what is not served pass after ``first``, and those by a method that their path does not have.
    private let stepsOfOthers: [any RouteStep]
    private let isSecure: Bool
    private var places: [String: Place] = [:]
    /// What requests pass for what is not served, by what their paths begin with.
    private var unserved: [(start: String, steps: [any RouteStep])] = []

    /// The methods of each path, which has `{name}` where a value stands.
    package var methods: [String: Set<HTTPRequest.Method>] { places.mapValues { Set($0.routes.keys) } }

    /// - Parameters:
    ///   - first: What every request passes first.
    ///   - limit: What requests that find no route pass after that; nil for nothing.
    ///   - isSecure: Whether clients know the relying party by https. Its answers then tell browsers to use nothing else.
    package init(_ first: some RouteStep, limitingOthersBy limit: (any RouteStep)? = nil, isSecure: Bool = false) {
        self.first = first
        self.isSecure = isSecure
        stepsOfOthers = [first] + (limit.map { [$0] } ?? [])
    }

    /// All routes.
    package var root: RouteGroup { RouteGroup(table: self, steps: [first], stepsOfOtherMethods: stepsOfOthers) }

    /// Adds a route.
    ///
    /// - Precondition: The path has none with this method yet.
    func add(
        _ method: HTTPRequest.Method,
        path: RouterPath,
        of group: RouteGroup,
        answer: @escaping Endpoint.Answering
    ) {
        var place =
            places[path.description] ?? Place(path: path, stepsOfOtherMethods: group.stepsOfOtherMethods)
        precondition(place.routes[method] == nil, "\(method) \(path) is served already")
        place.routes[method] = Route(steps: group.steps, lineLimit: group.lineLimit, answer: answer)
        places[path.description] = place
    }

    /// Has requests for what is not served pass the steps of `group` if their paths begin with the part of a path `start`: those steps limit
    /// them and give the refusal its form.
    func addUnserved(under start: String, of group: RouteGroup) {
        unserved.append((start, group.steps))
    }

    /// Answers all requests. Every one is counted for its route and has its line in `logger`, or counts in `limitLog` if a limit refuses it.
    /// The answer to one beyond the limit of an address or an account is kept back by `limitDelay`.
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
        // Added after all routes, so that only what is none of them passes it.
        router.add(
            middleware: Others(endpoint: others(stepsOfOthers), under: unserved.map { (Array($0.utf8), others($1)) }))
        return RouteResponder(plain: plain, router: router.buildResponder())
    }
}

/// Answers requests for what is not served, in the place of the router.
private struct Others: RouterMiddleware {
    let endpoint: Endpoint
    /// The endpoints of paths that begin with one of these parts.
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
    /// Whether it stands for itself alone.
    fileprivate var isPlain: Bool {
        !description.contains { "{*".contains($0) }
    }
}

extension HTTPRequest.Method {
    /// The methods that a client can be expected to try. Any other is no method of this server anywhere, and finds nothing.
    fileprivate static let registered: [Self] =
        [.get, .head, .post, .put, .delete, .patch, .options, .trace, .connect] + [Self("QUERY")].compactMap { $0 }
}
