import NightlatchRelyingParty
import NightlatchWire

/// The values for the template of the list of operators.
struct OperatorsContent: Sendable {
    let operators: [ShownOperator]
    let addition: String
    let roles: [Fact]
}

/// An operator in the table.
struct ShownOperator: Sendable {
    let name: String
    let user: String
    let userAddress: String
    let role: String
    let addedAt: ShownTime
    let change: String
    let removal: String
    /// The address to which the form for an enrolment code is sent.
    let code: String

    init(_ person: Operator, links: ConsoleLinks) {
        name = person.name.rawValue
        user = person.user.rawValue
        userAddress = links.user(person.user)
        role = person.role.rawValue
        addedAt = ShownTime(person.addedAt)
        change = links.link(.changeOperator, ("user", person.user.rawValue))
        removal = links.link(.removeOperator, ("user", person.user.rawValue))
        code = links.link(.operatorCode)
    }
}

/// The values for the form of a new operator, or of a change.
struct OperatorFormContent: Sendable {
    let isNew: Bool
    let action: String
    let user: String
    let name: String
    let roles: [FormChoice]
    var problem: String?
    let isReasonRequired: Bool
    let verb: String
    let back: String

    private init(isNew: Bool, user: String, name: String, role: OperatorRole?, links: ConsoleLinks) {
        self.isNew = isNew
        self.user = user
        self.name = name
        action = links.link(isNew ? .addOperator : .changeOperator)
        roles = OperatorRole.allCases.map {
            FormChoice(value: $0.rawValue, text: "\($0.rawValue) – \($0.summary)", isChosen: $0 == role)
        }
        isReasonRequired = !isNew
        verb = isNew ? "Add operator" : "Change operator"
        back = links.link(.operators)
    }

    /// The form for a new operator.
    init(links: ConsoleLinks) { self.init(isNew: true, user: "", name: "", role: .viewer, links: links) }

    /// The form for a change.
    init(_ person: Operator, links: ConsoleLinks) {
        self.init(isNew: false, user: person.user.rawValue, name: person.name.rawValue, role: person.role, links: links)
    }

    /// The form as it was sent.
    init(_ request: ConsoleRequest, links: ConsoleLinks) {
        let fields = request.fields.fields
        self.init(
            isNew: fields["is_new"] != nil, user: fields["user"] ?? "", name: fields["name"] ?? "",
            role: fields["role"].flatMap(OperatorRole.init), links: links)
    }
}

/// The values for the page that shows an enrolment code.
struct OperatorCodeContent: Sendable {
    let user: String
    let code: String
    let expiresAt: ShownTime
    let back: String
}
