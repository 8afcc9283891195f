import Hummingbird
import Synchronization

/// Refuses requests beyond so many that are under way: to answer a few is better than to keep all waiting.
final class ConcurrencyLimit<Context: RequestContext>: RouterMiddleware {
    private let limit: Int
    private let count = Atomic(0)

    init(_ limit: Int) {
        self.limit = limit
    }

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let (_, underway) = count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        guard underway <= limit else { throw Refusal.overloaded }
        return try await next(request, context)
    }
}
