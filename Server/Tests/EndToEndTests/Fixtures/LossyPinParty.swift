import Nightlatch
import NightlatchPlatform
import NightlatchWire

/// A way to a server on which one request is lost, or its answer; and which counts the requests.
actor LossyPinParty: PinRelyingParty {
    enum Loss: Sendable, CaseIterable {
        case request, answer
    }

    nonisolated let issuer: Issuer
    private let base: HTTPRelyingParty
    private let lost: (call: Int, what: Loss)?
    private(set) var callCount = 0

    /// - Parameters:
    ///   - base: The server.
    ///   - lost: Which request, counted from zero, and what of it; nil for none.
    init(_ base: HTTPRelyingParty, losing lost: (call: Int, what: Loss)? = nil) {
        self.base = base
        self.lost = lost
        issuer = base.issuer
    }

    /// From the lost one on nothing comes through, as where the network is gone.
    private func pass<Answer: Sendable>(
        _ request: (HTTPRelyingParty) async throws(RelyingPartyError) -> Answer
    ) async throws(RelyingPartyError) -> Answer {
        let call = callCount
        callCount += 1
        let isLost = lost.map { call >= $0.call } ?? false
        if isLost, call > lost?.call ?? 0 || lost?.what == .request { throw .unreachable(reason: "lost by the test") }
        let answer = try await request(base)
        if isLost { throw .unreachable(reason: "lost by the test") }
        return answer
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
