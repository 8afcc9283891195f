import NightlatchRelyingParty

/// The description of all routes.
package enum OpenAPIOperations {
    /// Every route, in the order of `docs/protocol.md`.
    package static let all: [OpenAPIOperation] =
        tagged(.server, published) + tagged(.enrolment, enrolment) + tagged(.login, login) + tagged(.devices, devices)
        + tagged(.transactions, transactions) + tagged(.decisions, decisions) + tagged(.remoteLogins, remoteLogins)
        + tagged(.twoPartyPin, pins) + tagged(.apps, apps) + tagged(.profiles, profiles)
        + tagged(.policies, policies) + tagged(.administration, administration)

    private static func tagged(_ tag: OpenAPITag, _ operations: [OpenAPIOperation]) -> [OpenAPIOperation] {
        operations.map { operation in
            var operation = operation
            operation.tag = tag
            return operation
        }
    }

    /// The refusals that the second half of every ceremony can get.
    static let challengeRefusals: [Refusal] = [
        .challengeRefused, .challengeExpired, .challengeUsed, .messageRefused(.wrongSignature), .deviceRevoked,
        .deviceReplaced, .deviceBlocked,
    ]
}
