package import Hummingbird

/// What answers requests that have come whole.
///
/// In the place of Hummingbird's `HTTPResponder`, of whose requests the body may be still to come: to read such a body is ten of a task's ways to
/// and fro, also where it lies in memory.
package protocol RequestResponder: Sendable {
    /// - Parameters:
    ///   - request: Without its body.
    ///   - context: With the body.
    func answer(to request: Request, _ context: RelyingPartyRequestContext) async throws -> Response
}
