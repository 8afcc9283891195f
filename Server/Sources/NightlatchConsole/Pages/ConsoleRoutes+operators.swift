import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// The pages on which owners manage operators.
extension ConsoleRoutes {
    func addOperators(to routes: RouteGroup) {
        page(.operators, on: routes) { _ throws(ConsoleRefusal) in
            let operators = try await administer { () async throws(AdministrationError) in
                try await administration.operators()
            }
            return ConsolePage(
                template: .operators, title: "Operators", section: .operators,
                content: OperatorsContent(
                    operators: operators.map { ShownOperator($0, links: links) }, addition: links.link(.addOperator),
                    roles: OperatorRole.allCases.map { Fact($0.rawValue, $0.summary) }))
        }
        page(.addOperator, on: routes) { _ throws(ConsoleRefusal) in form(OperatorFormContent(links: links)) }
        action(.addOperator, on: routes) { request throws(ConsoleRefusal) in
            let content = OperatorFormContent(request, links: links)
            guard let user = UserID(rawValue: content.user) else {
                return .page(form(content, problem: "User must be \(UserIDRule.requirement)."))
            }
            guard let name = PartyName(rawValue: content.name) else {
                return .page(form(content, problem: "Name must be \(PartyNameRule.requirement)."))
            }
            let role = try request.role()
            let reason = try request.optionalReason()
            do throws(AdministrationError) {
                try await administration(of: request, because: reason)
                    .change(.add(name: name, role: role), of: user, keepingOwner: true)
            } catch {
                return .page(try self.form(content, refusedBy: error))
            }
            return .page(try await code(for: user, request))
        }
        page(.changeOperator, on: routes) { request throws(ConsoleRefusal) in
            form(OperatorFormContent(try await person(of: request), links: links))
        }
        action(.changeOperator, on: routes) { request throws(ConsoleRefusal) in
            let user = try await person(of: request).user
            let content = OperatorFormContent(request, links: links)
            guard let name = PartyName(rawValue: content.name) else {
                return .page(form(content, problem: "Name must be \(PartyNameRule.requirement)."))
            }
            let role = try request.role()
            let reason = try request.reason()
            do throws(AdministrationError) {
                try await administration(of: request, because: reason)
                    .change(.change(name: name, role: role), of: user, keepingOwner: true)
            } catch {
                return .page(try self.form(content, refusedBy: error))
            }
            return .done(at: links.operators(saying: .operatorChanged))
        }
        page(.removeOperator, on: routes) { request throws(ConsoleRefusal) in
            removal(of: try await person(of: request))
        }
        action(.removeOperator, on: routes) { request throws(ConsoleRefusal) in
            let user: UserID = try request.identifier("user")
            let administration = administration(of: request, because: try request.reason())
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.change(.remove, of: user, keepingOwner: true)
            }
            return .done(at: links.operators(saying: .operatorRemoved))
        }
        action(.operatorCode, on: routes) { request throws(ConsoleRefusal) in
            .page(try await code(for: try request.identifier("user"), request))
        }
    }

    private func person(of request: ConsoleRequest) async throws(ConsoleRefusal) -> Operator {
        let user: UserID = try request.identifier("user")
        return try await administer { () async throws(AdministrationError) in
            try await administration.operatorRecord(of: user)
        }
    }

    /// Creates an enrolment code, and returns the only page that shows it: a code must not be in an address.
    private func code(for user: UserID, _ request: ConsoleRequest) async throws(ConsoleRefusal) -> ConsolePage {
        let administration = administration(of: request)
        let grant = try await administer { () async throws(AdministrationError) in
            try await administration.createCode(
                forOperator: user, under: keyring.sealing, life: configuration.enrolmentCodeLife)
        }
        return ConsolePage(
            template: .operatorCode, title: "Bind a phone", section: .operators, parents: operatorParents,
            content: OperatorCodeContent(
                user: user.rawValue, code: grant.code.groupedText, expiresAt: ShownTime(grant.expiresAt),
                back: links.link(.operators)))
    }

    private var operatorParents: [ConsolePage.Link] {
        [.init(text: "Operators", address: links.link(.operators))]
    }

    private func form(_ content: OperatorFormContent, problem: String? = nil) -> ConsolePage {
        var content = content
        content.problem = problem
        return ConsolePage(
            template: .operatorForm, title: content.isNew ? "Add an operator" : "Change this operator",
            section: .operators, parents: operatorParents, status: problem == nil ? .ok : .unprocessableContent,
            content: content)
    }

    /// The form again, for an error that another input may avoid. Throws every other error.
    private func form(
        _ content: OperatorFormContent, refusedBy error: AdministrationError
    ) throws(ConsoleRefusal) -> ConsolePage {
        let refusal = ConsoleRefusal(error)
        guard case .operatorRefused = refusal else { throw refusal }
        return form(content, problem: refusal.sentence)
    }

    private func removal(of person: Operator) -> ConsolePage {
        ConsolePage(
            template: .confirmation, title: "Remove this operator?", section: .operators, parents: operatorParents,
            content: ConfirmationContent(
                facts: [
                    Fact("Name", person.name.rawValue), Fact("User", person.user.rawValue),
                    Fact("Role", person.role.rawValue),
                ],
                effects: [
                    "Their sessions in the console end now, and they cannot sign in again.",
                    "The user and the devices stay. Entries of the audit log keep the name.",
                ],
                action: links.link(.removeOperator), fields: [Fact("user", person.user.rawValue)],
                verb: "Remove operator", isGrave: true, back: links.link(.operators)))
    }
}

extension ConsoleRequest {
    fileprivate func role() throws(ConsoleRefusal) -> OperatorRole {
        guard let role = fields.fields["role"].flatMap(OperatorRole.init) else { throw .refused(.malformedRequest) }
        return role
    }
}

extension ConsoleLinks {
    fileprivate func operators(saying message: ConsoleMessage) -> String {
        link(.operators, (ConsoleMessage.field, message.rawValue))
    }
}
