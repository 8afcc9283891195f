import HTTPTypes
package import Hummingbird
package import NightlatchRelyingParty

/// What requests pass on their way to a route, and answers on their way back.
package protocol RouteStep: Sendable {
    /// Lets a request on, or refuses it; then nothing further in is asked, and the answer does not come back here.
    func enter(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal)

    /// Takes what comes of a request that was let on: an answer, or the refusal of something further in.
    func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext)
}

extension RouteStep {
    package func enter(_ request: Request, _ context: RelyingPartyRequestContext) {}

    package func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {}
}

extension Result where Success == Response, Failure == any Error {
    /// Changes the head of an answer, if there is one, where it lies.
    mutating func changeHeaders(_ change: (inout HTTPFields) -> Void) {
        guard case .success(var response) = self else { return }
        // Lets go of it: what two have is copied when it is changed.
        self = .failure(CancellationError())
        change(&response.headers)
        self = .success(response)
    }
}
