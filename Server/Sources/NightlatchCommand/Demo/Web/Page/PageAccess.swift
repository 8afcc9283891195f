import HTTPTypes
import Hummingbird

/// Lets in whoever has the page's address, and no other page of the same browser.
///
/// Every page that a browser shows may send requests to the loopback interface, also under another name for it. So a request must name
/// the very host, its path must begin with the page's secret, and where the browser says from which page it comes, that is this one. The
/// address that was handed to the browser's program leads there once.
struct PageAccess<Context: RequestContext>: RouterMiddleware {
    let address: PageAddress

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.head.authority == address.host else { throw HTTPError(.misdirectedRequest) }
        guard isFromOwnPage(request) else { throw HTTPError(.forbidden) }
        let segment = request.uri.path.split(separator: "/").first ?? ""
        if request.method == .get, address.ticket.take(segment) {
            return Response(status: .seeOther, headers: [.location: address.url, .cacheControl: "no-store"])
        }
        guard address.isSecret(segment) else { throw HTTPError(.notFound) }
        return try await next(request, context)
    }

    private func isFromOwnPage(_ request: Request) -> Bool {
        let origins = request.headers[values: .origin]
        guard origins.allSatisfy({ $0 == address.origin }) else { return false }
        // Typing the address, or opening it from a terminal, is "none".
        let sites = HTTPField.Name("Sec-Fetch-Site").map { request.headers[values: $0] } ?? []
        guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { return false }
        return request.method == .get || origins.count == 1
    }
}

/// Where the page is: a port of the loopback interface, and a path that nobody guesses.
struct PageAddress: Sendable {
    let port: Int
    let ticket = PageTicket()
    private let secret = PageSecret()

    init(port: Int) {
        self.port = port
    }

    var host: String { "127.0.0.1:\(port)" }
    var origin: String { "http://\(host)" }
    /// What a person opens.
    var url: String { "\(origin)/\(secret.text)/" }
    /// What leads there once: for the arguments of a program, which every user of the machine can read.
    var urlOnce: String { "\(origin)/\(ticket.text)/" }

    func isSecret(_ text: some StringProtocol) -> Bool { secret.isEqual(to: text) }
}
