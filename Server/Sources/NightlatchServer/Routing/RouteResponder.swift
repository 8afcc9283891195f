import HTTPTypes
package import Hummingbird

/// Finds what answers a request. A path that stands for itself is looked up; the router finds those with values in them, and those that are
/// written in another way.
package struct RouteResponder: RequestResponder, HTTPResponder {
    let plain: [String: [HTTPRequest.Method: Endpoint]]
    let router: RouterResponder<RelyingPartyRequestContext>

    /// Answers a request whose body is still to come, once it has: over connections that are none of ours, also where the request is refused
    /// whatever its body says.
    package func respond(to request: Request, context: RelyingPartyRequestContext) async throws -> Response {
        var context = context
        context.content = await RequestContent(collecting: request.body, upTo: RequestLimits.bodyByteCount)
        return try await answer(to: request, context)
    }

    package func answer(to request: Request, _ context: RelyingPartyRequestContext) async throws -> Response {
        if let endpoint = plain[request.uri.path]?[request.method] {
            return await endpoint.respond(to: request, context: context)
        }
        return try await router.respond(to: request, context: context)
    }
}
