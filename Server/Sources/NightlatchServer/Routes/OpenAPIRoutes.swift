import HTTPTypes
import Hummingbird
import NightlatchWire

/// The route of the OpenAPI description.
struct OpenAPIRoutes {
    let issuer: Issuer

    func add(to routes: RouteGroup) {
        // The description does not change while the process runs.
        let body = ByteBuffer(bytes: StrictJSON.encode(OpenAPIDocument(issuer: issuer).tree))
        routes.on(.openAPI) { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "public, max-age=300"],
                body: ResponseBody(byteBuffer: body))
        }
    }
}
