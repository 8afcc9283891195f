import HTTPTypes
import Hummingbird

/// Admits requests that contain the page's secret, and refuses requests from other pages of the same browser.
///
/// Every page in a browser can send requests to the loopback interface, also under another host name. So each request
/// must meet these conditions:
///
/// - It names the exact host.
/// - Its path begins with the page's secret.
/// - If the browser names the page that sent the request, it is this page.
///
/// The program starts the browser with a one-time address, which redirects to the page once.
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
        // The value is "none" if the user typed the address or opened it from a terminal.
        let sites = HTTPField.Name("Sec-Fetch-Site").map { request.headers[values: $0] } ?? []
        guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { return false }
        return request.method == .get || origins.count == 1
    }
}

/// The page's address: a port of the loopback interface, and a path that cannot be guessed.
struct PageAddress: Sendable {
    let port: Int
    let ticket = PageTicket()
    private let secret = PageSecret()

    init(port: Int) {
        self.port = port
    }

    var host: String { "127.0.0.1:\(port)" }
    var origin: String { "http://\(host)" }
    /// The address for the user.
    var url: String { "\(origin)/\(secret.text)/" }
    /// An address that redirects to the page once. It is safe in the arguments of a program, which every user of the
    /// machine can read.
    var urlOnce: String { "\(origin)/\(ticket.text)/" }

    func isSecret(_ text: some StringProtocol) -> Bool { secret.isEqual(to: text) }
}
