import Nightlatch
import NightlatchPlatform
import NightlatchWire

/// A way to a server that is longer than this machine's: each request takes a while more. It counts them.
actor DelayedPinParty: PinRelyingParty {
    nonisolated let issuer: Issuer
    private let base: HTTPRelyingParty
    private let delay: Duration
    private(set) var requestCount = 0

    init(_ base: HTTPRelyingParty, delay: Duration) {
        self.base = base
        self.delay = delay
        issuer = base.issuer
    }

    private func pass<Answer: Sendable>(
        _ request: (HTTPRelyingParty) async throws(RelyingPartyError) -> Answer
    ) async throws(RelyingPartyError) -> Answer {
        requestCount += 1
        if delay > .zero {
            do {
                try await Task.sleep(for: delay)
            } catch {
                throw .cancelled
            }
        }
        return try await request(base)
    }

    func pinStanding(_ request: PinRequest) async throws(RelyingPartyError) -> PinStanding {
        try await pass { base async throws(RelyingPartyError) in try await base.pinStanding(request) }
    }

    func openPinEpoch(_ request: PinOpeningRequest) async throws(RelyingPartyError) -> PinEpochOffer {
        try await pass { base async throws(RelyingPartyError) in try await base.openPinEpoch(request) }
    }

    func evaluatePin(_ request: PinRequest) async throws(RelyingPartyError) -> PinEvaluation {
        try await pass { base async throws(RelyingPartyError) in try await base.evaluatePin(request) }
    }

    func provePin(_ request: PinRequest) async throws(RelyingPartyError) -> PinClearing {
        try await pass { base async throws(RelyingPartyError) in try await base.provePin(request) }
    }

    func promotePinEpoch(_ request: PinPromotionRequest) async throws(RelyingPartyError) -> PinClearing {
        try await pass { base async throws(RelyingPartyError) in try await base.promotePinEpoch(request) }
    }

    func abandonPinEpoch(_ request: PinRequest) async throws(RelyingPartyError) -> PinStanding {
        try await pass { base async throws(RelyingPartyError) in try await base.abandonPinEpoch(request) }
    }
}
