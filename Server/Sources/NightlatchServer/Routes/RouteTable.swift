package import HTTPTypes
package import Hummingbird

/// A router that knows what it serves, so that a request by a method that a path does not have is told which it has
/// ([RFC 9110, section 15.5.6](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6)).
package final class RouteTable<Context: RequestContext>: RouterMethods, HTTPResponderBuilder {
    /// What is to be done to a router, in the order in which it was asked for.
    private var steps: [(Router<Context>) -> Void] = []
    /// The methods of each path, which has `{name}` where a value stands.
    package private(set) var methods: [String: Set<HTTPRequest.Method>] = [:]

    package init() {}

    package func on<Responder: HTTPResponder>(
        _ path: RouterPath,
        method: HTTPRequest.Method,
        responder: Responder
    ) -> Self where Responder.Context == Context {
        methods[path.description, default: []].insert(method)
        steps.append { router in router.on(path, method: method, responder: responder) }
        return self
    }

    package func add(middleware: any MiddlewareProtocol<Request, Response, Context>) -> Self {
        steps.append { router in router.add(middleware: middleware) }
        return self
    }

    /// Every request passes ``RequestLog`` first, which counts it for its route: so all routes must be known before.
    package func buildResponder() -> RouterResponder<Context> {
        let router = Router(context: Context.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestLog(metrics: RequestMetrics(methods: methods)))
        for step in steps { step(router) }
        for (path, served) in methods {
            let served = served.contains(.get) ? served.union([.head]) : served
            let allowed = served.map(\.rawValue).sorted().joined(separator: ", ")
            for method in HTTPRequest.Method.registered where !served.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw Refusal.methodNotAllowed(allowed: allowed)
                }
            }
        }
        return router.buildResponder()
    }
}

extension HTTPRequest.Method {
    /// The methods that a client can be expected to try. Any other is no method of this server anywhere, and finds nothing.
    fileprivate static let registered: [Self] =
        [.get, .head, .post, .put, .delete, .patch, .options, .trace, .connect] + [Self("QUERY")].compactMap { $0 }
}
