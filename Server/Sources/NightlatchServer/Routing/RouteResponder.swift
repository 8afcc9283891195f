import HTTPTypes
package import Hummingbird

/// Finds the endpoint of a request.
///
/// Constant paths are looked up in a dictionary. The router handles paths with parameters, and other spellings of
/// constant paths.
package struct RouteResponder: RequestResponder, HTTPResponder {
    let plain: [String: [HTTPRequest.Method: Endpoint]]
    let router: RouterResponder<RelyingPartyRequestContext>

    /// Answers a request whose body has not been read yet. Used only by servers without a ``RequestChannel``.
    ///
    /// Reads the body first, even if the request will be refused regardless of its body.
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
