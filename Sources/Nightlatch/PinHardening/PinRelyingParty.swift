public import NightlatchWire

/// The relying party as the client of a two-party PIN sees it (`docs/two-party-pin.md`). Every verb is one request and one answer, and may
/// be asked again.
///
/// Each takes the key that the device has pinned (``HardenedDevice/Account/answerKey``). With one, an answer or a decision that it has not signed
/// for this very request is ``RelyingPartyError/unintelligible(status:)``; without one answers are taken as they come.
public protocol PinRelyingParty: Sendable {
    /// The URL by which it names itself, the audience of everything that is signed for it.
    var issuer: Issuer { get }

    /// How the device stands: which epochs are live, the window, what is left to try. Changes nothing.
    func pinStanding(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinStanding
    /// Opens a candidate epoch. Again, signed by the same key, gives the same public key; nothing is charged.
    func openPinEpoch(
        _ request: PinOpeningRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEpochOffer
    /// Charges a guess, then evaluates. After a lost answer send the same blinded element: it is the same guess.
    func evaluatePin(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinEvaluation
    /// Clears the count, by the knowledge key.
    func provePin(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinClearing
    /// Makes the candidate current and destroys the epoch before. Have the candidate on disk first.
    func promotePinEpoch(
        _ request: PinPromotionRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing
    /// Destroys a candidate. Drop the local one only after the answer.
    func abandonPinEpoch(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding
}
