import HTTPTypes
import Hummingbird
import NightlatchWire

extension RouterMethods {
    /// Serves `route` with a message.
    func serve<Message: Encodable & Sendable>(
        _ route: Route,
        with answer: @escaping @Sendable (Request, Context) async throws(Refusal) -> Message
    ) {
        let method: HTTPRequest.Method =
            switch route.method {
            case .get: .get
            case .post: .post
            }
        on(RouterPath(route.path), method: method) { request, context in
            try JSONAnswer(await answer(request, context)).response(from: request, context: context)
        }
    }
}
