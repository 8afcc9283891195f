package import HTTPTypes
package import Hummingbird

/// Routes with a common path prefix, whose requests pass the same steps.
package struct RouteGroup {
    let table: RouteTable
    /// The common prefix of the paths.
    private(set) var path = ""
    private(set) var steps: [any RouteStep]
    /// The steps for requests whose method the path does not support: those added with ``passingAlways(_:)``, then a
    /// limit.
    private(set) var stepsOfOtherMethods: [any RouteStep]
    /// The number of ``stepsOfOtherMethods`` before the limit. These steps turn the limit's refusals into answers.
    private var alwaysCount = 1
    /// The limit on requests with log lines; nil for no limit.
    private(set) var lineLimit: AddressLimit?

    init(table: RouteTable, steps: [any RouteStep], stepsOfOtherMethods: [any RouteStep]) {
        self.table = table
        self.steps = steps
        self.stepsOfOtherMethods = stepsOfOtherMethods
    }

    /// Returns a group with a longer prefix.
    package func group(_ path: String) -> Self {
        var group = self
        group.path += path
        return group
    }

    /// Returns a group whose requests pass `step` after all steps of this group.
    package func passing(_ step: some RouteStep) -> Self {
        var group = self
        group.steps.append(step)
        return group
    }

    /// Like ``passing(_:)``, but also for requests whose method the path does not support.
    package func passingAlways(_ step: some RouteStep) -> Self {
        var group = passing(step)
        group.stepsOfOtherMethods.insert(step, at: alwaysCount)
        group.alwaysCount += 1
        return group
    }

    /// Returns a group that answers all requests. Requests beyond `limit` are only counted, not logged.
    package func limitingLines(by limit: AddressLimit) -> Self {
        var group = self
        group.lineLimit = limit
        return group
    }

    /// Applies the steps of this group to requests under `path` that match no route. The steps turn the refusal of such
    /// a request into an answer.
    func refuseOthers(under path: String) { table.addUnserved(under: self.path + path, of: self) }

    /// Serves a route.
    ///
    /// - Precondition: The path has no route with this method yet.
    package func on(
        _ path: String,
        _ method: HTTPRequest.Method,
        answer: @escaping @Sendable (Request, RelyingPartyRequestContext) async throws -> some ResponseGenerator
    ) {
        table.add(method, path: RouterPath(self.path + path), of: self) { request, context in
            try await answer(request, context).response(from: request, context: context)
        }
    }
}
