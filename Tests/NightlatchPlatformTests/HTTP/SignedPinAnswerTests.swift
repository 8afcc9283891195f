import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// A server that signs its answers, or an attacker in between who cannot.
@Suite("Answers about two-party PINs, with a pinned key")
struct SignedPinAnswerTests {
    private static let key = P256.Signing.PrivateKey()
    private let standing = PinStanding(
        epoch: .first, candidate: nil, nextEpoch: PinEpoch.first.next, window: .first, triesLeft: 5,
        isCodeRequired: true,
        issuedAt: NumericDate(secondsSince1970: 1))

    private static func pinned() throws -> PublicJWK {
        .ec(try #require(ECPublicJWK(coordinates: Array(key.publicKey.rawRepresentation))))
    }

    /// The signature of a server with this URL over an answer.
    private static func signature(
        _ url: String,
        _ request: String,
        _ status: Int,
        _ body: String,
        by key: P256.Signing.PrivateKey = key
    ) throws -> String {
        let issuer = try #require(Issuer(rawValue: url))
        let unsigned = UnsignedJWS(
            PinAnswerClaims(issuer: issuer, request: Data(request.utf8), status: status, answer: Data(body.utf8)),
            algorithm: .es256)
        return unsigned.signed(try key.signature(for: unsigned.signingInput).rawRepresentation)
    }

    enum Answer: CaseIterable {
        case signed, unsigned, ofAnotherKey, ofAnotherRequest, ofAnotherStatus, ofAnotherAnswer, ofAnotherServer, broken

        func signature(_ url: String, _ request: String, _ status: Int, _ body: String) throws -> String? {
            switch self {
            case .signed: try SignedPinAnswerTests.signature(url, request, status, body)
            case .unsigned: nil
            case .ofAnotherKey: try SignedPinAnswerTests.signature(url, request, status, body, by: .init())
            case .ofAnotherRequest: try SignedPinAnswerTests.signature(url, request + " ", status, body)
            case .ofAnotherStatus: try SignedPinAnswerTests.signature(url, request, status + 1, body)
            case .ofAnotherAnswer: try SignedPinAnswerTests.signature(url, request, status, body + " ")
            case .ofAnotherServer: try SignedPinAnswerTests.signature("https://other.example", request, status, body)
            case .broken: "x.y.z"
            }
        }
    }

    private func withServer(
        _ answer: Answer,
        status: Int,
        _ body: String,
        _ ask: (HTTPRelyingParty) async throws -> Void
    ) async throws {
        let url = Shared("")
        let server = try LoopbackServer { request in
            let signature = try? answer.signature(url.withLock { $0 }, request.body, status, body)
            return .answer(
                status: status, headers: signature.map { ["\(PinAnswerClaims.headerName): \($0)"] } ?? [], body: body)
        }
        url.withLock { $0 = server.url }
        try await ask(HTTPRelyingParty(issuer: try #require(Issuer(rawValue: server.url))))
    }

    @Test(
        "An answer without the pinned key's signature for exactly this request is unintelligible",
        arguments: Answer.allCases)
    func answers(answer: Answer) async throws {
        let body = String(decoding: StrictJSON.encode(standing), as: UTF8.self)
        try await withServer(answer, status: 200, body) { party in
            let request = PinRequest(message: "a message")
            let unpinned = try await party.pinStanding(request, answeredBy: nil)
            #expect(unpinned == standing)
            guard answer != .signed else {
                let pinned = try await party.pinStanding(request, answeredBy: Self.pinned())
                #expect(pinned == standing)
                return
            }
            await #expect(throws: RelyingPartyError.unintelligible(status: 200)) {
                try await party.pinStanding(request, answeredBy: Self.pinned())
            }
        }
    }

    @Test("A 409 pin_destroyed without the pinned key's signature destroys nothing", arguments: Answer.allCases)
    func destruction(answer: Answer) async throws {
        let problem = Problem(.pinDestroyed, status: 409, title: "All guesses were used up.")
        let body = String(decoding: StrictJSON.encode(problem), as: UTF8.self)
        try await withServer(answer, status: 409, body) { party in
            do {
                _ = try await party.evaluatePin(PinRequest(message: "a message"), answeredBy: Self.pinned())
                Issue.record("a refusal was taken for an answer")
            } catch RelyingPartyError.refused(let refusal) {
                #expect(answer == .signed && refusal.code == .pinDestroyed)
            } catch RelyingPartyError.unintelligible(let status) {
                #expect(answer != .signed && status == 409)
            }
        }
    }

    @Test("A 429 pin_waiting without the pinned key's signature makes nobody wait", arguments: Answer.allCases)
    func waiting(answer: Answer) async throws {
        let waiting = PinStanding(
            epoch: .first, candidate: nil, nextEpoch: PinEpoch.first.next, window: .first, triesLeft: 5,
            isCodeRequired: true, wait: PinWait(seconds: 60),
            issuedAt: NumericDate(secondsSince1970: 1))
        let problem = Problem(.pinWaiting, status: 429, title: "Wait.", pin: waiting)
        let body = String(decoding: StrictJSON.encode(problem), as: UTF8.self)
        try await withServer(answer, status: 429, body) { party in
            do {
                _ = try await party.evaluatePin(PinRequest(message: "a message"), answeredBy: Self.pinned())
                Issue.record("a refusal was taken for an answer")
            } catch RelyingPartyError.refused(let refusal) {
                #expect(answer == .signed && refusal.code == .pinWaiting)
                #expect(refusal.pin?.wait?.duration == .seconds(60))
                #expect(RelyingPartyError.refused(refusal).advice == .tryLater(after: .seconds(60)))
            } catch RelyingPartyError.unintelligible(let status) {
                #expect(answer != .signed && status == 429)
            }
        }
    }

    @Test("A refusal that decides nothing needs no signature", arguments: [429, 500, 503])
    func undecided(status: Int) async throws {
        let body = String(
            decoding: StrictJSON.encode(Problem(.unavailable, status: status, title: "Later.")), as: UTF8.self)
        try await withServer(.unsigned, status: status, body) { party in
            await #expect {
                try await party.evaluatePin(PinRequest(message: "a message"), answeredBy: Self.pinned())
            } throws: { error in
                guard case .refused(let refusal) = error as? RelyingPartyError else { return false }
                return !refusal.isDecision
            }
        }
    }
}
