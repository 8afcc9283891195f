package import HTTPTypes
package import Hummingbird

/// Routes whose paths begin alike, and whose requests pass the same steps.
package struct RouteGroup {
    let table: RouteTable
    /// What the paths of all routes begin with.
    private(set) var path = ""
    private(set) var steps: [any RouteStep]
    /// What a request passes that has a method which its path does not have: what every request of the group passes, then a limit.
    private(set) var stepsOfOtherMethods: [any RouteStep]
    /// How many of ``stepsOfOtherMethods`` come before the limit, so that its refusals have the form that they give.
    private var alwaysCount = 1
    /// What has lines in the log; nil for every request.
    private(set) var lineLimit: AddressLimit?

    init(table: RouteTable, steps: [any RouteStep], stepsOfOtherMethods: [any RouteStep]) {
        self.table = table
        self.steps = steps
        self.stepsOfOtherMethods = stepsOfOtherMethods
    }

    /// A group further in.
    package func group(_ path: String) -> Self {
        var group = self
        group.path += path
        return group
    }

    /// A group whose requests pass `step` after all steps of this one.
    package func passing(_ step: some RouteStep) -> Self {
        var group = self
        group.steps.append(step)
        return group
    }

    /// As ``passing(_:)``, for requests also that have a method which their path does not have.
    package func passingAlways(_ step: some RouteStep) -> Self {
        var group = passing(step)
        group.stepsOfOtherMethods.insert(step, at: alwaysCount)
        group.alwaysCount += 1
        return group
    }

    /// A group whose requests are all answered, also beyond `limit`; there they are only counted, and have no line in the log.
    package func limitingLines(by limit: AddressLimit) -> Self {
        var group = self
        group.lineLimit = limit
        return group
    }

    /// Has requests for what is not served under `path` pass the steps of this group, which give the refusal its form.
    func refuseOthers(under path: String) { table.addUnserved(under: self.path + path, of: self) }

    /// Serves a route.
    ///
    /// - Precondition: The path has none with this method yet.
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
