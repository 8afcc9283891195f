import HTTPTypes
package import Hummingbird
package import NightlatchRelyingParty

/// A check or change around a route: requests pass it on the way in, answers on the way out.
package protocol RouteStep: Sendable {
    /// Checks a request on the way in. If it throws, the later steps and the route are not called, and neither is this
    /// step's ``leave(_:_:)``.
    func enter(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal)

    /// Changes the outcome of a request that passed ``enter(_:_:)``: an answer, or the refusal of a later step or of
    /// the route.
    func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext)
}

extension RouteStep {
    package func enter(_ request: Request, _ context: RelyingPartyRequestContext) {}

    package func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {}
}

extension Result where Success == Response, Failure == any Error {
    /// Changes the headers of an answer in place. Does nothing to an error.
    mutating func changeHeaders(_ change: (inout HTTPFields) -> Void) {
        guard case .success(var response) = self else { return }
        // Releases the reference to the response in `self`, so that the change does not copy the response.
        self = .failure(CancellationError())
        change(&response.headers)
        self = .success(response)
    }
}
