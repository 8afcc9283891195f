import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchTokenVerification
import NightlatchWire

/// Gives every answer, refusals too, the nonce that the next proof is to carry
/// ([RFC 9449, section 8.2](https://www.rfc-editor.org/rfc/rfc9449#section-8.2)). So a client that calls at least every two minutes
/// is never sent back for one.
struct NonceAnswers: RouteStep {
    let source: NonceSource

    func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {
        outcome.changeHeaders { headers in
            headers[.dpopNonce] = source.nonces.nonce(at: source.clock.now()).rawValue
        }
    }
}

/// Where nonces come from.
struct NonceSource: Sendable {
    let nonces: DPoPNonces
    let clock: WallClock
}
