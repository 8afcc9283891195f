import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

@Suite("A relying party through another transport")
struct RelyingPartyTransportTests {
    /// A transport that gives every request the same answer.
    private actor Scripted: HTTPTransport {
        private(set) var requests: [HTTPTransportRequest] = []
        private let answer: Result<HTTPTransportResponse, HTTPTransportError>

        init(_ answer: Result<HTTPTransportResponse, HTTPTransportError>) { self.answer = answer }

        func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
            requests.append(request)
            return try answer.get()
        }
    }

    private func party(_ transport: Scripted) throws -> HTTPRelyingParty {
        HTTPRelyingParty(
            issuer: try #require(Issuer(rawValue: "https://login.example")), timeout: .seconds(7), transport: transport)
    }

    private func credentials() throws -> Credentials {
        Credentials(
            user: try #require(UserID(rawValue: "alice")), password: try #require(Password(rawValue: "correct horse")))
    }

    @Test("The transport gets the whole request with the time limit, and the nonce of the answer is kept")
    func request() async throws {
        let body = #"{"user":"alice"}"#
        let transport = Scripted(
            .success(HTTPTransportResponse(status: 200, headers: ["dpop-nonce": "n-1"], body: Data(body.utf8))))
        let backend = HTTPBackend(
            issuer: try #require(Issuer(rawValue: "https://login.example")),
            key: try #require(BackendKey(rawValue: "a-key-of-the-backend-1")), transport: transport)
        _ = try await backend.setPassword(try credentials())
        let request = try #require(await transport.requests.first)
        #expect(request.method == "POST" && request.url.absoluteString == "https://login.example/v1/passwords")
        #expect(request.headers["Authorization"] == "Bearer a-key-of-the-backend-1")
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.body == Data(#"{"password":"correct horse","user":"alice"}"#.utf8))

        let party = try party(transport)
        await #expect(throws: RelyingPartyError.unintelligible(status: 200)) {
            try await party.enrolmentCode(try credentials())
        }
        #expect(await transport.requests.last?.timeout == .seconds(7))
        #expect(await party.newestNonce == DPoPNonce(rawValue: "n-1"))
    }

    @Test(
        "The transport's errors are those of the relying party",
        arguments: [
            (HTTPTransportError.unreachable(reason: "no route"), RelyingPartyError.unreachable(reason: "no route")),
            (.tooLarge, .unintelligible(status: 0)), (.cancelled, .cancelled),
        ])
    func errors(_ error: HTTPTransportError, _ expected: RelyingPartyError) async throws {
        let party = try party(Scripted(.failure(error)))
        await #expect(throws: expected) { try await party.checkReadiness() }
    }

    @Test("An answer that is larger than a message is unintelligible")
    func large() async throws {
        let body = Data(repeating: UInt8(ascii: " "), count: 65_537)
        let party = try party(Scripted(.success(HTTPTransportResponse(status: 200, body: body))))
        await #expect(throws: RelyingPartyError.unintelligible(status: 200)) { try await party.checkReadiness() }
    }
}
