import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Runs the article's server and app against a real relying party.
@Suite("Accepting tokens in your own server", .timeLimit(.minutes(10)))
struct AcceptTokensTests {
    @Test("The app calls the server as its user, with a nonce and a new session where they are needed")
    func story() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let device = try await ClientDevice(at: server, keys: folder.path + "/keys")
            let shop = try Self.shop(at: server)
            try await Self.serve(shop) { client in
                let articles = try await client.execute(uri: "/articles", method: .get)
                let orders = try await client.execute(uri: "/orders", method: .get)
                #expect(articles.status == .ok && orders.status == .unauthorized)
                for demand in [ShopTransport.Demand.nothing, .nonce, .newSession] {
                    let transport = ShopTransport(client: client, demand: demand)
                    let app = ShopClient(
                        shop: shop.address, login: device.login, vault: device.vault, transport: transport)
                    let answer = try await app.get("/orders")
                    #expect(String(decoding: answer, as: UTF8.self) == "orders of alice")
                    let requestCount = await transport.requestCount
                    #expect(requestCount == (demand == .nothing ? 1 : 2))
                }
            }
        }
    }

    @Test("A visit to the server returns the lines that the article prints")
    func visiting() async throws {
        let folder = try TemporaryFolder()
        let printed = try ArticleTests.blocks("text", of: ArticleTests.acceptTokens).joined()
        try await ServerProcess.run(in: folder) { server in
            let device = try await ClientDevice(at: server, keys: folder.path + "/keys")
            let shop = try Self.shop(at: server)
            try await Self.serve(shop) { client in
                func transport() -> ShopTransport { ShopTransport(client: client, demand: .nothing) }
                let app = ShopClient(
                    shop: shop.address, login: device.login, vault: device.vault, transport: transport())
                let lines = try await visit(shop.address, as: app, over: transport())
                #expect(lines.map { $0 + "\n" }.joined() == printed)
            }
        }
    }

    @Test("A code from the server binds a device, and a revoked device cannot order although its token is valid")
    func orders() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let device = try await ClientDevice(at: server, keys: folder.path + "/keys")
            let shop = try Self.shop(at: server)
            let code = try await shop.enrolmentCode(for: try #require(UserID(rawValue: "bob")))
            #expect(EnrolmentCode(code) != nil)
            let session = try await device.login.logIn(device.vault)
            try await Self.serve(shop) { client in
                let order = try await Self.order(in: session, at: shop, client)
                #expect(order.status == .ok && String(buffer: order.body).hasPrefix("confirm "))
                let pending = try await session.pendingTransactions()
                #expect(pending.count == 1)
                _ = try await session.revoke(session.device)
                let refused = try await Self.order(in: session, at: shop, client)
                #expect(refused.status == .unauthorized)
            }
        }
    }

    private static func shop(at server: ServerProcess) throws -> Shop {
        let address = try #require(Issuer(rawValue: "https://shop.example"))
        return try Shop(
            relyingParty: server.issuer, address: address, backendKeyFile: server.folder + "/backend.key")
    }

    private static func serve(
        _ shop: Shop,
        _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let application = Application(
            router: shop.router(), configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        try await application.test(.live) { client in try await body(client) }
    }

    private static func order(
        in session: Session,
        at shop: Shop,
        _ client: any TestClientProtocol
    ) async throws -> TestResponse {
        let url = try #require(shop.address.url(path: "/orders"))
        let headers = try await session.authorization(method: "POST", url: url).headers
        return try await client.execute(uri: "/orders", method: .post, headers: try fields(headers))
    }

    static func fields(_ headers: [String: String]) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        return fields
    }
}

/// Sends the app's requests to the server under test. It refuses the first request, if it has a demand.
private actor ShopTransport: HTTPTransport {
    enum Demand {
        case nothing, nonce, newSession
    }

    private let client: any TestClientProtocol
    private let demand: Demand
    private(set) var requestCount = 0
    private var firstToken: String?

    init(client: any TestClientProtocol, demand: Demand) {
        self.client = client
        self.demand = demand
    }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        requestCount += 1
        if requestCount == 1, demand != .nothing {
            firstToken = request.headers["Authorization"]
            return HTTPTransportResponse(
                status: 401, headers: demand == .nonce ? ["DPoP-Nonce": "nonce-of-the-shop"] : [:], body: Data())
        }
        // A demand for a nonce leaves the session as it is; any other 401 leads to a new one.
        if requestCount == 2, demand != .nothing {
            #expect((request.headers["Authorization"] == firstToken) == (demand == .nonce))
        }
        do {
            let answer = try await client.execute(
                uri: request.url.path(), method: .get, headers: try AcceptTokensTests.fields(request.headers))
            return HTTPTransportResponse(status: answer.status.code, body: Data(answer.body.readableBytesView))
        } catch {
            throw .unreachable(reason: "\(error)")
        }
    }
}
