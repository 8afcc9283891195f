public import Nightlatch
public import NightlatchWire

extension HTTPRelyingParty: PinRelyingParty {
    public func pinStanding(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding {
        try await connection.send(request, answeredBy: key, to: .pinStanding)
    }

    public func openPinEpoch(
        _ request: PinOpeningRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEpochOffer {
        try await connection.send(request, answeredBy: key, to: .openPinEpoch)
    }

    public func evaluatePin(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEvaluation {
        try await connection.send(request, answeredBy: key, to: .evaluatePin)
    }

    public func provePin(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing {
        try await connection.send(request, answeredBy: key, to: .provePin)
    }

    public func promotePinEpoch(
        _ request: PinPromotionRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing {
        try await connection.send(request, answeredBy: key, to: .promotePinEpoch)
    }

    public func abandonPinEpoch(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding {
        try await connection.send(request, answeredBy: key, to: .abandonPinEpoch)
    }
}
