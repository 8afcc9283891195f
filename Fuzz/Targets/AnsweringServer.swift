import Foundation
import Nightlatch

/// A server that gives every request the same answer, and keeps the body of the last request.
actor AnsweringServer: HTTPTransport {
    private let answer: Data
    private(set) var lastBody: Data?

    init(_ answer: Data) {
        self.answer = answer
    }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        lastBody = request.body
        return HTTPTransportResponse(status: 200, body: answer)
    }
}
