public import Nightlatch
public import NightlatchWire

/// A relying party that counts each request to another one, and may delay or lose it.
public actor InterceptedPinParty: PinRelyingParty {
    public nonisolated let issuer: Issuer
    private let base: any PinRelyingParty
    // Returns a result instead of throwing: a stored closure with typed throws has metadata that only iOS 18 and later
    // can make. Before iOS 18, printing a value with such a closure would end the process.
    private let interception: @Sendable (_ call: Int) async -> Result<MemoryPinHardener.Fault?, RelyingPartyError>
    /// The number of requests, including lost ones.
    public private(set) var callCount = 0

    /// Creates a relying party that passes requests on to `base`.
    ///
    /// - Parameters:
    ///   - base: The relying party that answers.
    ///   - intercept: Called before each request, with its number, counted from zero. An error that it throws is thrown
    ///     instead. A fault that it returns determines whether the request or the answer is lost. If it returns nil,
    ///     the request passes.
    public init(
        _ base: any PinRelyingParty,
        intercepting intercept:
            @escaping @Sendable (_ call: Int) async throws(RelyingPartyError) ->
            MemoryPinHardener.Fault? = { _ in nil }
    ) {
        self.base = base
        interception = { call in
            do throws(RelyingPartyError) {
                return .success(try await intercept(call))
            } catch {
                return .failure(error)
            }
        }
        issuer = base.issuer
    }

    private func pass<Answer: Sendable>(
        _ request: (any PinRelyingParty) async throws(RelyingPartyError) -> Answer
    ) async throws(RelyingPartyError) -> Answer {
        let call = callCount
        callCount += 1
        let fault = try await interception(call).get()
        let lost = RelyingPartyError.unreachable(reason: "lost by the test")
        guard fault != .request else { throw lost }
        let answer = try await request(base)
        guard fault == nil else { throw lost }
        return answer
    }

    public func pinStanding(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding {
        try await pass { base async throws(RelyingPartyError) in try await base.pinStanding(request, answeredBy: key) }
    }

    public func openPinEpoch(
        _ request: PinOpeningRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEpochOffer {
        try await pass { base async throws(RelyingPartyError) in try await base.openPinEpoch(request, answeredBy: key) }
    }

    public func evaluatePin(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEvaluation {
        try await pass { base async throws(RelyingPartyError) in try await base.evaluatePin(request, answeredBy: key) }
    }

    public func provePin(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing {
        try await pass { base async throws(RelyingPartyError) in try await base.provePin(request, answeredBy: key) }
    }

    public func promotePinEpoch(
        _ request: PinPromotionRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing {
        try await pass { base async throws(RelyingPartyError) in
            try await base.promotePinEpoch(request, answeredBy: key)
        }
    }

    public func abandonPinEpoch(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding {
        try await pass { base async throws(RelyingPartyError) in
            try await base.abandonPinEpoch(request, answeredBy: key)
        }
    }
}
