public import NightlatchWire

/// The relying party as seen by the client of a two-party PIN (`docs/two-party-pin.md`). Every method sends one request
/// and gets one answer, and may be called again.
///
/// Each method takes the key that the device has pinned (``HardenedDevice/Account/answerKey``). If there is such a key,
/// every answer or refusal must be signed with it for this very request; otherwise the method throws
/// ``RelyingPartyError/unintelligible(status:)``. If there is none, every answer is accepted. A refusal that decides
/// nothing (``RelyingPartyRefusal/isDecision``) need not be signed, except one with the code `ProblemCode.pinWaiting`.
public protocol PinRelyingParty: Sendable {
    /// The URL that identifies the relying party: the audience of everything that is signed for it.
    var issuer: Issuer { get }

    /// Returns the device's standing: the live epochs, the window, the number of tries left. Changes nothing.
    func pinStanding(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinStanding
    /// Opens a candidate epoch. A repeated request, signed by the same key, gets the same public key; nothing is
    /// charged.
    func openPinEpoch(
        _ request: PinOpeningRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEpochOffer
    /// Charges a guess, then evaluates it. After a lost answer, send the same blinded element: it is the same guess.
    func evaluatePin(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinEvaluation
    /// Clears the count, with the knowledge key.
    func provePin(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinClearing
    /// Makes the candidate current and destroys the previous epoch. Write the candidate to disk first.
    func promotePinEpoch(
        _ request: PinPromotionRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing
    /// Destroys a candidate. Drop the local one only after the answer.
    func abandonPinEpoch(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding
}
