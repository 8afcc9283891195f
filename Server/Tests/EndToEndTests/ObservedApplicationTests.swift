import Hummingbird
import HummingbirdTesting
import Logging
import NightlatchDemo
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Synchronization
import Testing

@Suite("A server that reports its requests and answers")
struct ObservedApplicationTests {
    @Test(
        """
        A body that is too long gets the same refusal as without observation and is not reported, and the server \
        continues
        """)
    func tooLong() async throws {
        let issuer = try #require(Issuer(rawValue: "https://login.example"))
        let base = try await buildApplication(
            configuration: RelyingPartyConfiguration(issuer: issuer), store: MemoryStore(), masterKey: .random(),
            backendKey: try #require(BackendKey(rawValue: "the-backend-key")),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let shown = Mutex<[String]>([])
        let application = ObservedApplication(base: base) { exchange in
            shown.withLock { $0.append(exchange.path) }
        }
        let tooLong = ByteBuffer(repeating: UInt8(ascii: " "), count: RequestLimits.bodyByteCount + 1)
        try await application.test(.live) { client in
            let expected = [(Route.beginLogin.path, HTTPResponse.Status.contentTooLarge), ("/unknown", .notFound)]
            for (path, status) in expected {
                let answer = try await client.execute(
                    uri: path, method: .post, headers: [.contentType: "application/json"], body: tooLong)
                #expect(answer.status == status)
            }
            #expect(try await client.execute(uri: "/unknown", method: .get).status == .notFound)
        }
        #expect(shown.withLock(\.self) == ["/unknown"])
    }
}
