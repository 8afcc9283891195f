import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The routes of two-party PINs.
struct PinRoutes {
    let pins: PinCeremony
    let answerKey: PinAnswerKey

    func add(to routes: RouteGroup) {
        serve(.pinStanding, in: routes, answering: pins.standing(_:))
        serve(.openPinEpoch, in: routes) { request throws(Refusal) in
            try await pins.open(request, naming: answerKey.publicKey)
        }
        serve(.evaluatePin, in: routes, answering: pins.evaluate(_:))
        serve(.provePin, in: routes, answering: pins.prove(_:))
        serve(.promotePinEpoch, in: routes, answering: pins.promote(_:))
        serve(.abandonPinEpoch, in: routes, answering: pins.abandon(_:))
    }

    /// Serves `route` by calling `answer` with the message in the body. Signs the answer, and also a refusal with a
    /// status below 500.
    private func serve<Asked: Decodable & Sendable, Message: Encodable & Sendable>(
        _ route: Route,
        in routes: RouteGroup,
        answering answer: @escaping @Sendable (Asked) async throws(Refusal) -> Message
    ) {
        routes.on(route) { request, context in
            let asked = try context.bytes(of: request, type: "application/json")
            let message: Message
            do throws(Refusal) {
                message = try await answer(context.message(of: request))
            } catch {
                guard error.status.code < 500 else { throw error }
                let content = StrictJSON.bytes(of: error.problem)
                throw Refusal.signed(
                    error, signature: try answerKey.sign(asked, status: error.status.code, answer: content))
            }
            var response = Response(status: .ok, json: message)
            response.headers[.pinAnswer] = try answerKey.sign(
                asked, status: response.status.code, answer: StrictJSON.bytes(of: message))
            return response
        }
    }
}
