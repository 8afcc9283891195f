package import Hummingbird

/// Answers requests with complete bodies, or with bodies that are too long to be read.
///
/// It replaces Hummingbird's `HTTPResponder`, which streams the body of a request. Reading a streamed body costs about
/// ten task switches, even if the body is in memory.
package protocol RequestResponder: Sendable {
    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: The request without its body.
    ///   - context: The context. It has the body.
    /// - Throws: An error that the route did not turn into an answer. This is a defect; the caller answers with status
    ///   500.
    func answer(to request: Request, _ context: RelyingPartyRequestContext) async throws -> Response
}
