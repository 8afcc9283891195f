package import NightlatchWire

/// The response of a journey to a request.
package struct JourneyAnswer: Sendable {
    package let result: Result
    /// The journey, if it is known.
    package let journey: String?
    let passed: [Journey.Passed]

    package enum Result: Sendable {
        case asks(authID: String, [JourneyCallback], page: PageNode.Texts?)
        case succeeded(token: JourneyToken?, successURL: String, realm: String)
        /// The reason is for logs; it is nil if the ``Journey/Passed`` nodes contain it.
        case refused(JourneyRefusal?)
    }

    package init(_ result: Result, journey: String? = nil, passed: [Journey.Passed] = []) {
        self.result = result
        self.journey = journey
        self.passed = passed
    }

    /// The body, with its members in PingAM's order.
    package var body: JSONValue {
        switch result {
        case .asks(let authID, let callbacks, let page):
            let numbered = callbacks.enumerated().map { $0.element.json(number: $0.offset + 1) }
            let texts = [("stage", page?.stage), ("header", page?.header), ("description", page?.description)]
            return .object(
                [.init("authId", .string(authID)), .init("callbacks", .array(numbered))]
                    + texts.compactMap { name, text in text.map { .init(name, .string($0)) } })
        case .succeeded(let token, let successURL, let realm):
            return .object(
                (token.map { [.init("tokenId", .string($0.text))] } ?? [])
                    + [.init("successUrl", .string(successURL)), .init("realm", .string(realm))])
        case .refused(.sessionExpired):
            return Self.failure(
                "Session has timed out",
                [
                    .init("detail", .object([.init("errorCode", .string("110"))]))
                ])
        case .refused:
            // All refusals get the same response.
            return Self.failure("Login failure", [])
        }
    }

    private static func failure(_ message: String, _ more: [JSONObject.Member]) -> JSONValue {
        .object(
            [
                .init("code", .integer(401)), .init("reason", .string("Unauthorized")),
                .init("message", .string(message)),
            ] + more)
    }

    /// A summary for logs. It contains no text from the client.
    package var trace: String {
        var words = passed.map { step in
            "\(step.node):\(step.outcome)" + (step.refusal.map { "(\($0.rawValue))" } ?? "")
        }
        switch result {
        case .asks(_, let callbacks, _): words.append("asks:" + callbacks.map(\.type).joined(separator: "+"))
        case .succeeded: words.append("succeeded")
        case .refused(let refusal): words.append("refused" + (refusal.map { ":" + $0.rawValue } ?? ""))
        }
        return words.joined(separator: " ")
    }
}
