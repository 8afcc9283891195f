import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The public routes: signing keys and metadata. Clients may cache their answers.
struct PublishedRoutes {
    let keys: TokenKeys
    let metadata: OpenIDMetadata
    let clock: WallClock

    func add(to routes: RouteGroup) {
        let (keys, clock) = (keys, clock)
        routes.on(.jwks) { request, context in
            let set = JWKSet(keys: await keys.publicKeys(now: clock.now()))
            return try JSONAnswer(set).publicResponse(from: request, context: context)
        }
        let metadata = metadata
        routes.on(.metadata) { request, context in
            try JSONAnswer(metadata).publicResponse(from: request, context: context)
        }
    }
}

extension JSONAnswer {
    /// The answer, which clients may cache.
    func publicResponse(from request: Request, context: some RequestContext) throws -> Response {
        var response = try response(from: request, context: context)
        let seconds = SigningKeySchedule.publishedSetLife.components.seconds
        response.headers[.cacheControl] = "public, max-age=\(seconds)"
        return response
    }
}
