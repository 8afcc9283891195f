import HTTPTypes
import Hummingbird
import NightlatchWire

/// The description of all routes.
struct OpenAPIRoutes {
    let issuer: Issuer

    func add(to routes: RouteGroup) {
        // It never changes while the process runs.
        let body = ByteBuffer(bytes: StrictJSON.encode(OpenAPIDocument(issuer: issuer).tree))
        routes.on(.openAPI) { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "public, max-age=300"],
                body: ResponseBody(byteBuffer: body))
        }
    }
}
