import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire

/// Collects the blinded elements that were sent.
actor SentElements {
    private(set) var elements: [BlindedElement] = []

    func note(_ message: String) {
        struct Claims: Decodable {
            let blinded_element: String
        }
        let parts = message.split(separator: ".")
        guard parts.count == 3, let payload = Base64URL.decode(String(parts[1])),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload)),
            let element = BlindedElement(rawValue: claims.blinded_element)
        else { return }
        elements.append(element)
    }
}

/// A connection to a server that records the guesses.
struct ReadPinParty: PinRelyingParty {
    private let base: HTTPRelyingParty
    private let sent: SentElements

    init(_ base: HTTPRelyingParty, sent: SentElements) {
        self.base = base
        self.sent = sent
    }

    var issuer: Issuer { base.issuer }

    func pinStanding(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinStanding {
        try await base.pinStanding(request, answeredBy: key)
    }

    func openPinEpoch(
        _ request: PinOpeningRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEpochOffer {
        try await base.openPinEpoch(request, answeredBy: key)
    }

    func evaluatePin(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinEvaluation
    {
        await sent.note(request.message)
        return try await base.evaluatePin(request, answeredBy: key)
    }

    func provePin(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinClearing {
        try await base.provePin(request, answeredBy: key)
    }

    func promotePinEpoch(
        _ request: PinPromotionRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing {
        try await base.promotePinEpoch(request, answeredBy: key)
    }

    func abandonPinEpoch(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding {
        try await base.abandonPinEpoch(request, answeredBy: key)
    }
}
