import Nightlatch
import NightlatchWire

/// What is asked of a relying party about a two-party PIN.
enum PinVerb: Hashable {
    case standing, open, evaluate, prove, promote, abandon
}

/// A way to a relying party on which somebody drops all requests of some kinds.
struct DroppingPinParty: PinRelyingParty {
    private let base: any PinRelyingParty
    private let dropped: Set<PinVerb>

    init(_ base: any PinRelyingParty, dropping dropped: Set<PinVerb>) {
        self.base = base
        self.dropped = dropped
    }

    var issuer: Issuer { base.issuer }

    private func pass(_ verb: PinVerb) throws(RelyingPartyError) {
        guard !dropped.contains(verb) else { throw .unreachable(reason: "dropped by the thief") }
    }

    func pinStanding(_ request: PinRequest) async throws(RelyingPartyError) -> PinStanding {
        try pass(.standing)
        return try await base.pinStanding(request)
    }

    func openPinEpoch(_ request: PinOpeningRequest) async throws(RelyingPartyError) -> PinEpochOffer {
        try pass(.open)
        return try await base.openPinEpoch(request)
    }

    func evaluatePin(_ request: PinRequest) async throws(RelyingPartyError) -> PinEvaluation {
        try pass(.evaluate)
        return try await base.evaluatePin(request)
    }

    func provePin(_ request: PinRequest) async throws(RelyingPartyError) -> PinClearing {
        try pass(.prove)
        return try await base.provePin(request)
    }

    func promotePinEpoch(_ request: PinPromotionRequest) async throws(RelyingPartyError) -> PinClearing {
        try pass(.promote)
        return try await base.promotePinEpoch(request)
    }

    func abandonPinEpoch(_ request: PinRequest) async throws(RelyingPartyError) -> PinStanding {
        try pass(.abandon)
        return try await base.abandonPinEpoch(request)
    }
}
