import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The routes of two-party PINs.
struct PinRoutes {
    let pins: PinCeremony
    let answerKey: PinAnswerKey
    let refusals: RefusalTally

    func add(to routes: RouteGroup) {
        let routes = routes.passing(RefusalAnswers(form: .pin(answerKey), tally: refusals))
        serve(.pinStanding, in: routes, answering: pins.standing(_:))
        serve(.openPinEpoch, in: routes) { request throws(Refusal) in
            try await pins.open(request, naming: answerKey.publicKey)
        }
        serve(.evaluatePin, in: routes, answering: pins.evaluate(_:))
        serve(.provePin, in: routes, answering: pins.prove(_:))
        serve(.promotePinEpoch, in: routes, answering: pins.promote(_:))
        serve(.abandonPinEpoch, in: routes, answering: pins.abandon(_:))
    }

    /// Serves `route` by calling `answer` with the message in the body. Signs the answer.
    private func serve<Asked: Decodable & Sendable, Message: Encodable & Sendable>(
        _ route: Route,
        in routes: RouteGroup,
        answering answer: @escaping @Sendable (Asked) async throws(Refusal) -> Message
    ) {
        routes.on(route) { request, context in
            let message = try await answer(context.message(of: request))
            var response = Response(status: .ok, json: message)
            response.headers[.pinAnswer] = try answerKey.sign(context, status: response.status, answer: message)
            return response
        }
    }
}

extension PinAnswerKey {
    /// Signs `answer` to the request of `context`.
    func sign(
        _ context: RelyingPartyRequestContext,
        status: HTTPResponse.Status,
        answer: some Encodable
    ) throws(Refusal) -> String {
        try sign(context.content.bytes, status: status.code, answer: StrictJSON.bytes(of: answer))
    }
}
