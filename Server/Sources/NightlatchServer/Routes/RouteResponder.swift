import HTTPTypes
package import Hummingbird

/// Finds what answers a request. A path that stands for itself is looked up; the router finds those with values in them, and those that are
/// written in another way.
package struct RouteResponder: HTTPResponder {
    let plain: [String: [HTTPRequest.Method: Endpoint]]
    let router: RouterResponder<RelyingPartyRequestContext>

    package func respond(to request: Request, context: RelyingPartyRequestContext) async throws -> Response {
        if let endpoint = plain[request.uri.path]?[request.method] {
            return await endpoint.respond(to: request, context: context)
        }
        return try await router.respond(to: request, context: context)
    }
}
