import Foundation
import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// A request to the relying party and its answer, as they were sent.
package struct Exchange: Sendable {
    let at: Date
    let method: String
    /// The path without the query.
    package let path: String
    /// The fields of the query.
    let query: [String: String]
    let sender: ServerEvent.Sender
    /// The `DPoP` header.
    let proof: String?
    let body: Data
    let status: Int
    let answer: Data

    init(at: Date, request: Request, body: Data, status: Int, answer: Data) {
        self.at = at
        method = request.method.rawValue
        path = request.uri.path
        query = FormFields(Data((request.uri.query ?? "").utf8))?.fields ?? [:]
        let form = FormFields(body)?.fields ?? [:]
        sender =
            if request.headers[.authorization]?.hasPrefix("Bearer ") == true {
                // Only the backend sends a bearer key.
                .backend
            } else if path == DemoShop.authorizationPath || path.hasPrefix(LoginPagePath.page.rawValue) {
                .browser
            } else if path == Route.token.path, form["client_id"] == DemoShop.client.rawValue {
                .shop
            } else {
                .phone
            }
        proof = HTTPField.Name("DPoP").flatMap { request.headers[$0] }
        self.body = body
        self.status = status
        self.answer = answer
    }

    /// Whether a browser has asked for the confirmation of a login by the user's name.
    var asksForLogin: Bool { method == "POST" && path == LoginPagePath.ask.rawValue && status < 400 }

    /// The fields of the request's body; nil if it is not a form.
    var form: [String: String]? { FormFields(body)?.fields }

    func isAnswered(by route: Route) -> Bool {
        guard method == route.method.rawValue else { return false }
        let parts = path.split(separator: "/")
        let pattern = route.path.split(separator: "/")
        return parts.count == pattern.count && zip(parts, pattern).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
    }

    /// Returns the request's body as a message; nil if it cannot be decoded.
    func message<Message: Decodable>(_ type: Message.Type = Message.self) -> Message? { Self.decode(type, from: body) }

    /// Returns the answer as a message; nil if it cannot be decoded.
    func answer<Message: Decodable>(_ type: Message.Type = Message.self) -> Message? { Self.decode(type, from: answer) }

    /// The request to the token route; nil for other requests.
    var tokenRequest: TokenRequest? {
        do {
            return try FormFields(body).map { form throws(OAuthError) in try TokenRequest(fields: form.fields) }
        } catch {
            return nil
        }
    }

    /// The code and the sentence of a refusal; nil if the request was not refused.
    var refusal: (code: ProblemCode, sentence: String)? {
        guard status >= 400 else { return nil }
        if let problem: Problem = answer() { return (problem.code, problem.title) }
        if let error: OAuthError = answer() { return (error.code, error.description ?? "") }
        return nil
    }

    private static func decode<Message: Decodable>(_ type: Message.Type, from bytes: Data) -> Message? {
        do {
            return try StrictJSON.decode(type, from: bytes)
        } catch {
            return nil
        }
    }
}
