package import Hummingbird

/// What answers requests whose bodies have come, or are too long to be read.
///
/// In the place of Hummingbird's `HTTPResponder`, of whose requests the body may be still to come: to read such a body is ten of a task's ways to
/// and fro, also where it lies in memory.
package protocol RequestResponder: Sendable {
    /// - Parameters:
    ///   - request: Without its body.
    ///   - context: With the body.
    /// - Throws: What is no route's answer: a defect, which is answered with status 500.
    func answer(to request: Request, _ context: RelyingPartyRequestContext) async throws -> Response
}
