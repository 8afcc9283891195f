public import Nightlatch
public import NightlatchWire

extension HTTPRelyingParty: PinRelyingParty {
    public func pinStanding(_ request: PinRequest) async throws(RelyingPartyError) -> PinStanding {
        try await connection.send(request, to: .pinStanding)
    }

    public func openPinEpoch(_ request: PinOpeningRequest) async throws(RelyingPartyError) -> PinEpochOffer {
        try await connection.send(request, to: .openPinEpoch)
    }

    public func evaluatePin(_ request: PinRequest) async throws(RelyingPartyError) -> PinEvaluation {
        try await connection.send(request, to: .evaluatePin)
    }

    public func provePin(_ request: PinRequest) async throws(RelyingPartyError) -> PinClearing {
        try await connection.send(request, to: .provePin)
    }

    public func promotePinEpoch(_ request: PinPromotionRequest) async throws(RelyingPartyError) -> PinClearing {
        try await connection.send(request, to: .promotePinEpoch)
    }

    public func abandonPinEpoch(_ request: PinRequest) async throws(RelyingPartyError) -> PinStanding {
        try await connection.send(request, to: .abandonPinEpoch)
    }
}
