import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NightlatchServer
import NightlatchWire

/// The page's routes: its files, the states to draw, and the user's actions.
struct PageRoutes: Sendable {
    /// The page loads only its own files and sends requests only to this server. Other pages cannot frame it
    /// ([CSP level 3](https://www.w3.org/TR/CSP3/)).
    private static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; \
        frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """
    private static let eventByteCountLimit = 256

    let address: PageAddress
    let states: PageStates
    /// The address of the shop, which is another site.
    let shopAddress: String
    /// Handles the user's actions, in order.
    let handle: @Sendable (PageEvent, _ text: String?) async -> Void

    func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        let page = router.add(middleware: PageAccess(address: address)).group(":secret")
        page.get("") { _, _ in Self.file(DemoPage.document, "text/html; charset=utf-8") }
        page.get("style.css") { _, _ in Self.file(DemoPage.style, "text/css; charset=utf-8") }
        page.get("script.js") { _, _ in Self.file(DemoPage.script, "text/javascript; charset=utf-8") }
        page.get("icon.svg") { _, _ in Self.file(DemoPage.icon, "image/svg+xml") }
        page.get("shop") { _, _ in Response(seeOther: shopAddress) }
        page.get("states") { _, _ in streamStates() }
        page.post("events") { request, _ in try await takeEvent(request) }
        return router
    }

    private static func headers(_ contentType: String) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: contentType, .cacheControl: "no-store", .contentSecurityPolicy: contentSecurityPolicy,
            .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }

    private static func file(_ text: String, _ contentType: String) -> Response {
        Response(status: .ok, headers: headers(contentType), body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Streams each part of the page as it changes, as
    /// [server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html).
    private func streamStates() -> Response {
        let states = states
        return Response(
            status: .ok, headers: Self.headers("text/event-stream"),
            body: ResponseBody { writer in
                var sent: [PageStates.Part: Int] = [:]
                for await _ in states.changes() {
                    for part in PageStates.Part.allCases {
                        guard let state = states.state(of: part), state.version != sent[part] else { continue }
                        sent[part] = state.version
                        try await writer.write(ByteBuffer(string: "event: \(part.rawValue)\ndata: \(state.json)\n\n"))
                    }
                }
                try await writer.finish(nil)
            })
    }

    private func takeEvent(_ request: Request) async throws -> Response {
        guard request.headers[.contentType] == "application/json" else { throw HTTPError(.unsupportedMediaType) }
        let body = try await request.body.collect(upTo: Self.eventByteCountLimit)
        let message: PageEventMessage
        do {
            message = try StrictJSON.decode(PageEventMessage.self, from: Data(body.readableBytesView))
        } catch {
            throw HTTPError(.badRequest)
        }
        guard let event = PageEvent(name: message.event) else { throw HTTPError(.badRequest) }
        await handle(event, message.text)
        return Response(status: .noContent, headers: Self.headers("text/plain"))
    }
}
