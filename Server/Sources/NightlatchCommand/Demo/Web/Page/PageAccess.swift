import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// Lets in whoever has the page's address, and no other page of the same browser.
///
/// Every page that a browser shows may send requests to the loopback interface, also under another name for it. So a request must name
/// the very host, its path must begin with the page's secret, and where the browser says from which page it comes, that is this one.
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
    private let secret: String

    init(port: Int) {
        self.port = port
        // 128 bits of the system's generator.
        secret = unsafe SymmetricKey(size: .bits128).withUnsafeBytes { bytes in
            unsafe bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    var host: String { "127.0.0.1:\(port)" }
    var origin: String { "http://\(host)" }
    /// What a person opens.
    var url: String { "\(origin)/\(secret)/" }

    /// Takes as long whatever `text` is.
    func isSecret(_ text: some StringProtocol) -> Bool {
        SHA256.hash(data: Data(text.utf8)) == SHA256.hash(data: Data(secret.utf8))
    }
}
