import Nightlatch
import NightlatchWire

/// A request to a relying party about a two-party PIN.
enum PinVerb: Hashable {
    case standing, open, evaluate, prove, promote, abandon
}

/// A connection to a relying party on which an attacker drops all requests of some kinds.
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

    func pinStanding(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinStanding {
        try pass(.standing)
        return try await base.pinStanding(request, answeredBy: key)
    }

    func openPinEpoch(
        _ request: PinOpeningRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEpochOffer {
        try pass(.open)
        return try await base.openPinEpoch(request, answeredBy: key)
    }

    func evaluatePin(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinEvaluation
    {
        try pass(.evaluate)
        return try await base.evaluatePin(request, answeredBy: key)
    }

    func provePin(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinClearing {
        try pass(.prove)
        return try await base.provePin(request, answeredBy: key)
    }

    func promotePinEpoch(
        _ request: PinPromotionRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing {
        try pass(.promote)
        return try await base.promotePinEpoch(request, answeredBy: key)
    }

    func abandonPinEpoch(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding {
        try pass(.abandon)
        return try await base.abandonPinEpoch(request, answeredBy: key)
    }
}
