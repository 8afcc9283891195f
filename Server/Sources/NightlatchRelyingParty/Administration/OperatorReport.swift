package import NightlatchWire

/// An operator as operators see it at the command line, and as an export of the user contains it.
package struct OperatorReport: Encodable, Sendable {
    private let person: Operator
    private let code: EnrolmentCodeGrant?

    /// - Parameters:
    ///   - person: The operator.
    ///   - code: The enrolment code for the operator's first device, in the members `code` and `code_expires_at`.
    package init(_ person: Operator, code: EnrolmentCodeGrant? = nil) {
        self.person = person
        self.code = code
    }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("added_at", person.addedAt)
        if let code {
            try members.add("code", code.code)
            try members.add("code_expires_at", code.expiresAt)
        }
        try members.add("name", person.name)
        try members.add("role", person.role)
        try members.add("user", person.user)
    }
}
