import Foundation
import Nightlatch
import NightlatchTesting

/// A server that answers each request from a script, and records the requests. Copies of the value share both.
struct ScriptedServer: HTTPTransport {
    enum Answer: Sendable {
        case answer(status: Int, body: String)
        /// The answer never arrives.
        case lost

        /// The next step, with these callbacks.
        static func ask(_ callbacks: String...) -> Answer {
            .answer(status: 200, body: #"{"authId":"eyJ.a.b","callbacks":[\#(callbacks.joined(separator: ","))]}"#)
        }

        static let success = Answer.answer(
            status: 200, body: #"{"tokenId":"token-1","successUrl":"/enduser/?realm=/alpha","realm":"/alpha"}"#)
        static let refusal = Answer.answer(
            status: 401, body: #"{"code":401,"reason":"Unauthorized","message":"Login failure"}"#)
        static let busy = Answer.answer(
            status: 429, body: #"{"code":429,"reason":"Too Many Requests","message":"later"}"#)
        /// The answer of a gateway in front of the server.
        static let busyInWords = Answer.answer(status: 429, body: "<h1>Too Many Requests</h1>")
        static let failure = Answer.answer(status: 503, body: #"{"code":503,"reason":"Unavailable","message":"down"}"#)
    }

    private struct Notes {
        var answers: [Answer] = []
        var requests: [HTTPTransportRequest] = []
    }

    private let notes = Shared(Notes())

    func script(_ answers: Answer...) {
        notes.withLock { $0.answers += answers }
    }

    /// Drops the remaining answers of the script.
    func endScript() {
        notes.withLock { $0.answers = [] }
    }

    var requests: [HTTPTransportRequest] { notes.withLock { $0.requests } }

    /// The body of the last request, as text.
    var lastBody: String { String(decoding: requests.last?.body ?? Data(), as: UTF8.self) }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let answer = notes.withLock { notes in
            notes.requests.append(request)
            return notes.answers.isEmpty ? .lost : notes.answers.removeFirst()
        }
        guard case .answer(let status, let body) = answer else { throw .unreachable(reason: "lost") }
        return HTTPTransportResponse(status: status, body: Data(body.utf8))
    }
}
