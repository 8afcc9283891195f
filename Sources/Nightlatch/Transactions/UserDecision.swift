import NightlatchWire

/// A decision of the user that the device signs: on a transaction or on a remote login.
protocol UserDecision: Sendable {
    associatedtype Claims: MessageClaims
    /// The answer of the relying party to the signed decision.
    associatedtype Result: Sendable

    /// Throws if the decision cannot be signed, whatever the user enters. Called before the user is asked.
    func check() throws(DecisionError)

    /// Gets a challenge for the decision. The relying party refuses if there is nothing to decide any more.
    func begin(in session: Session) async throws(SessionError) -> DecisionChallenge

    /// Returns the claims that the device key signs, by the relying party's clock.
    func claims(for challenge: DecisionChallenge, binding: DeviceBinding, clientID: ClientID) -> Claims

    /// Sends the signed decision.
    func send(_ answer: DecisionAnswer, to relyingParty: any RelyingParty) async throws(RelyingPartyError) -> Result

    /// Throws unless `result` says that the relying party recorded this decision.
    func check(_ result: Result) throws(DecisionError)
}
