import Foundation
import NightlatchWire
import Testing

@Suite("Routes")
struct RouteTests {
    @Test("Routes stay where existing clients expect them")
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
            (.renameDevice, "POST /v1/devices/{device}/rename"), (.blockDevice, "POST /v1/devices/{device}/block"),
            (.unblockDevice, "POST /v1/devices/{device}/unblock"),
            (.revokeDevice, "POST /v1/devices/{device}/revoke"), (.createTransaction, "POST /v1/transactions"),
            (.transaction, "GET /v1/transactions/{transaction}"),
            (.voidTransaction, "POST /v1/transactions/{transaction}/void"), (.transactions, "GET /v1/transactions"),
            (.pendingTransactions, "GET /v1/pending-transactions"), (.beginDecision, "POST /v1/decision/begin"),
            (.finishDecision, "POST /v1/decision/finish"), (.remoteLogins, "GET /v1/remote-logins"),
            (.claimRemoteLogin, "POST /v1/remote-logins/claim"),
            (.beginRemoteLogin, "POST /v1/remote-logins/begin"),
            (.finishRemoteLogin, "POST /v1/remote-logins/finish"), (.pinStanding, "POST /v1/pin/standing"),
            (.openPinEpoch, "POST /v1/pin/open"), (.evaluatePin, "POST /v1/pin/evaluate"),
            (.provePin, "POST /v1/pin/prove"), (.promotePinEpoch, "POST /v1/pin/promote"),
            (.abandonPinEpoch, "POST /v1/pin/abandon"),
        ]
        for (route, line) in routes { #expect("\(route.method.rawValue) \(route.path)" == line) }
        #expect(Set(routes.map(\.0)).count == routes.count)
    }

    @Test("A device route contains the device id")
    func devicePath() throws {
        let device = try #require(DeviceID(rawValue: "04040404040404040404040404040404"))
        #expect(Route.revokeDevice.path(device: device) == "/v1/devices/04040404040404040404040404040404/revoke")
    }

    @Test("A transaction route contains the transaction id")
    func transactionPath() throws {
        let id = try #require(TransactionID(rawValue: "04040404040404040404040404040404"))
        #expect(Route.transaction.path(transaction: id) == "/v1/transactions/04040404040404040404040404040404")
        #expect(Route.voidTransaction.path(transaction: id) == "/v1/transactions/04040404040404040404040404040404/void")
    }

    @Test("A user query contains every character of the user id", arguments: ["a", "..", "uid=a+b,ou=x:y@z_-."])
    func userQuery(text: String) throws {
        let path = Route.transactions.path(user: try #require(UserID(rawValue: text)))
        let parts = try #require(URLComponents(string: "https://a.example" + path))
        #expect(parts.path == "/v1/transactions")
        #expect(parts.queryItems == [URLQueryItem(name: "user", value: text)])
        // A form decoder reads a plus as a space.
        #expect(!path.contains("+"))
    }
}
