import HTTPTypes
import Hummingbird
import Logging

/// Gives every answer of the console the headers that keep a browser from doing more with it than showing it, and makes a page of what
/// is refused before anybody knows who asks.
struct ConsoleAnswers<Context: RequestContext>: RouterMiddleware {
    /// Nothing is loaded but the style sheet, nothing is sent elsewhere, no page may frame this one, and no script runs
    /// ([CSP level 3](https://www.w3.org/TR/CSP3/)).
    static var contentSecurityPolicy: String {
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    }

    let renderer: ConsoleRenderer
    let refusals: RefusalTally

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let path = context.endpointPath, path.hasPrefix(ConsolePath.root) else {
            return try await next(request, context)
        }
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as Refusal {
            let refusal = ConsoleRefusal.refused(error)
            refusal.note(in: refusals, context.logger)
            response = renderer.response(refusal, for: nil)
        }
        response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        response.headers[.crossOriginOpenerPolicy] = "same-origin"
        if !response.headers.contains(.cacheControl) { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
