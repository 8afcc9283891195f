import NightlatchWire
import Testing

@Suite("Routes")
struct RouteTests {
    @Test("are where clients that are in use look for them")
    func paths() {
        let routes: [(Route, String)] = [
            (.liveness, "GET /health/live"), (.readiness, "GET /health/ready"), (.jwks, "GET /.well-known/jwks.json"),
            (.enrolmentCodes, "POST /v1/enrolment-codes"), (.beginBinding, "POST /v1/binding/begin"),
            (.finishBinding, "POST /v1/binding/finish"), (.beginLogin, "POST /v1/login/begin"),
            (.setPassword, "POST /v1/passwords"), (.verifyPassword, "POST /v1/passwords/verify"),
            (.enrolByPassword, "POST /v1/enrolment-codes/by-password"),
            (.metadata, "GET /.well-known/oauth-authorization-server"), (.token, "POST /oauth/token"),
            (.revokeToken, "POST /oauth/revoke"), (.introspectToken, "POST /oauth/introspect"),
            (.devices, "GET /v1/devices"),
            (.revokeDevice, "POST /v1/devices/{device}/revoke"),
        ]
        for (route, line) in routes { #expect("\(route.method.rawValue) \(route.path)" == line) }
        #expect(Set(routes.map(\.0)).count == routes.count)
    }

    @Test("put a device in the place that they have for one")
    func devicePath() throws {
        let device = try #require(DeviceID(rawValue: "04040404040404040404040404040404"))
        #expect(Route.revokeDevice.path(device: device) == "/v1/devices/04040404040404040404040404040404/revoke")
    }
}
