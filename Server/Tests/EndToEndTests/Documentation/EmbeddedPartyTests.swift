import Foundation
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchWire
import ServiceLifecycle
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs the article's server, and sends the requests that the article shows.
@Suite("Embedding a relying party", .timeLimit(.minutes(10)))
struct EmbeddedPartyTests {
    @Test("The shop and its relying party answer on their ports as the article shows, and stop together")
    func answers() async throws {
        let folder = try TemporaryFolder()
        let (listening, listens) = AsyncStream.makeStream(of: (server: String, port: Int).self)
        let server = ShopServer(
            issuer: try #require(Issuer(rawValue: "https://login.example")), folder: folder.path, shopPort: 0,
            partyPort: 0, onListening: { listens.yield(($0, $1)) })
        let store = try SQLiteStore(path: folder.path + "/nightlatch.sqlite")
        let services = try await server.services(over: store, until: [])
        async let running: Void = services.run()
        var ports: [String: Int] = [:]
        for await (server, port) in listening {
            ports[server] = port
            if ports.count == 2 { break }
        }
        let shown = try #require(try ArticleTests.blocks("console", of: ArticleTests.embedding).first)
        let lines = shown.split(separator: "\n")
        #expect(lines.count == 4)
        for index in stride(from: 0, to: lines.count, by: 2) {
            let address = String(lines[index]).replacing("$ curl ", with: "")
                .replacing(":8080", with: ":\(try #require(ports["shop"]))")
                .replacing(":8081", with: ":\(try #require(ports["relying party"]))")
            let (answer, _) = try await URLSession.shared.data(from: try #require(URL(string: address)))
            #expect(String(decoding: answer, as: UTF8.self) == lines[index + 1])
        }
        await services.triggerGracefulShutdown()
        try await running
        try store.close()
    }
}
