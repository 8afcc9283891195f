import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

extension RouteGroup {
    /// Serves `route`.
    func on(
        _ route: Route,
        answer: @escaping @Sendable (Request, RelyingPartyRequestContext) async throws -> some ResponseGenerator
    ) {
        let method: HTTPRequest.Method =
            switch route.method {
            case .get: .get
            case .post: .post
            }
        on(route.path, method, answer: answer)
    }

    /// Serves `route` with a message that `answer` returns.
    func serve<Message: Encodable & Sendable>(
        _ route: Route,
        with answer: @escaping @Sendable (Request, RelyingPartyRequestContext) async throws -> Message
    ) {
        on(route) { request, context in JSONAnswer(try await answer(request, context)) }
    }

    /// Serves `route` by calling `answer` with the message in the body.
    func serve<Asked: Decodable & Sendable, Message: Encodable & Sendable>(
        _ route: Route,
        answering answer: @escaping @Sendable (Asked) async throws(Refusal) -> Message
    ) {
        serve(route) { request, context in try await answer(context.message(of: request)) }
    }
}
