package import Hummingbird

/// Answers requests. The body of each request was received as a whole, or is too long to be read.
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
