import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchTokenVerification
import NightlatchWire

/// Adds the nonce for the client's next proof to every answer and refusal
/// ([RFC 9449, section 8.2](https://www.rfc-editor.org/rfc/rfc9449#section-8.2)).
///
/// A client that calls at least every two minutes never has to repeat a request because its nonce is too old.
struct NonceAnswers: RouteStep {
    let source: NonceSource

    func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {
        outcome.changeHeaders { headers in
            headers[.dpopNonce] = source.nonces.nonce(at: source.clock.now()).rawValue
        }
    }
}

/// The source of DPoP nonces.
struct NonceSource: Sendable {
    let nonces: DPoPNonces
    let clock: WallClock
}
